"""Learns the pair's tokenizer: byte-level BPE with single digits, and one special token that ends a text."""

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from recipes.embedded import corpus

END = corpus.END
END_ID = 0


def learn(texts: Iterable[str], vocabulary: int) -> Tokenizer:
    """A tokenizer with `vocabulary` entries, or fewer if there is little text; the end mark has id 0.

    Every digit is a token of its own, so that sums can be learnt digit by digit. With bytes as the basis (Radford et al. 2019, GPT-2) no
    text is unknown.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def save(tokenizer: Tokenizer, folder: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json as transformers reads them."""
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=END)
    wrapped.save_pretrained(folder)


def load(folder: Path) -> Tokenizer:
    """The tokenizer in a network's folder (`tokenizer.json`)."""
    return Tokenizer.from_file(str(folder / "tokenizer.json"))
