"""EAGLE: one decoder layer that guesses the target's next state, and after it the next, by reading its own guesses.

A pair is a token's state f_t in the target and the token x_{t+1} that followed it. From the pairs so far the layer makes a state from which
the borrowed output layer scores x_{t+2}. For the token after that the guess takes the place of the state that the target has not computed yet.

EAGLE-3 (Li et al., arXiv 2503.01840) joins the states of several layers and is only asked for the right tokens. So is the layer of multi-token
prediction of DeepSeek-V3 (DeepSeek-AI, arXiv 2412.19437, section 2.2, equations 21 to 23), which reads the target's last state alone.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from specviz.models.heads.frozen import Frozen
from specviz.models.heads.layer import HeadLayer, LayerShape, Rotation, attended
from specviz.models.heads.spec import Spec
from specviz.models.networks.positions import positions_of

# From queries, keys and values of n pairs, [..., n, heads, head width] each (fewer heads of keys and values where
# these are shared), to what the last m of them read, [..., m, heads, head width].
Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


class EagleHead(HeadLayer):
    """The decoder layer that EAGLE-3 and MTP heads have. Subclasses define what its attention reads. `input_width`: of
    what its attention reads."""

    def __init__(self, spec: Spec, shape: LayerShape, input_width: int) -> None:
        super().__init__(input_width, shape, normalised=False)

    def entering(self, states: Tensor) -> Tensor:
        """[..., taps, width] the target's states to the features [..., width] of their pairs. A guess is such a feature as it is."""
        raise NotImplementedError

    def attention_inputs(self, embedded: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        """From the embeddings of the tokens and the features of their pairs, [..., width] each: what the attention reads, and what its
        result is added to."""
        raise NotImplementedError

    def ready(self, guesses: Tensor) -> Tensor:
        """[..., width] guesses as the output layer reads them."""
        raise NotImplementedError

    def forward(self, embedded: Tensor, features: Tensor, attend: Attend) -> Tensor:
        """[..., m, width] the guessed states for the last m of n pairs: the features of the pairs that follow them."""
        inputs, states = self.attention_inputs(embedded.to(features.dtype), features)
        mixed = attend(*self.parts(inputs))
        return self.after(states[..., -mixed.shape[-3] :, :], mixed)

    def reader(self, borrowed: Frozen) -> "EagleReader":
        """A new reader of a text, with a cache of its own."""
        return EagleReader(self, borrowed)

    def rotation(self, capacity: int) -> Rotation:
        """The rotation of queries and keys at positions below `capacity`."""
        return self.shape.rotation(capacity, self.out.weight)


class Eagle3Head(EagleHead):
    """EAGLE-3: the states of several layers joined into one; attention reads the normalised token and state side by side.

    Published heads differ in where they normalise, each an option: `norm_before_fc` all joined states at once and `fc_norm` each layer's own
    before they are joined; `norm_before_residual` what the attention's result is added to (RedHat's); `norm_output` what goes on to the
    next guess (EAGLE-3.1).
    """

    def __init__(self, spec: Spec) -> None:
        shape, options = LayerShape.of(spec), spec.options
        width, eps, joined = shape.width, shape.norm_eps, len(spec.taps) * spec.shape.width
        super().__init__(spec, shape, 2 * width)
        self.join = nn.Linear(joined, width, bias=False)
        self.join_norm = nn.RMSNorm(joined, eps) if options.get("norm_before_fc") else None
        self.tap_norms = (
            nn.ModuleList(nn.RMSNorm(spec.shape.width, eps) for _ in spec.taps) if options.get("fc_norm") else None
        )
        self.token_norm, self.feature_norm, self.norm = (nn.RMSNorm(width, eps) for _ in range(3))
        self._norm_before_residual = options.get("norm_before_residual") is True
        self._norm_output = options.get("norm_output") is True

    def entering(self, states: Tensor) -> Tensor:
        states = states.to(self.join.weight.dtype)
        if self.join_norm is not None:
            states = self.join_norm(states.flatten(-2)).view_as(states)
        if self.tap_norms is not None:
            states = torch.stack([norm(states[..., tap, :]) for tap, norm in enumerate(self.tap_norms)], dim=-2)
        joined: Tensor = self.join(states.flatten(-2))
        return joined

    def attention_inputs(self, embedded: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        normalised = self.feature_norm(features)
        inputs = torch.cat([self.token_norm(embedded), normalised], dim=-1)
        return inputs, normalised if self._norm_before_residual else features

    def forward(self, embedded: Tensor, features: Tensor, attend: Attend) -> Tensor:
        """As `EagleHead.forward`."""
        guesses = super().forward(embedded, features, attend)
        return self.norm(guesses) if self._norm_output else guesses

    def ready(self, guesses: Tensor) -> Tensor:
        return guesses if self._norm_output else self.norm(guesses)


class MtpHead(EagleHead):
    """A layer of multi-token prediction: the target's last state and the next token's embedding, each normalised, joined by one matrix. Raises
    ValueError if the spec is not one of such a head."""

    def __init__(self, spec: Spec) -> None:
        shape = LayerShape.of(spec)
        width, eps = shape.width, shape.norm_eps
        if len(spec.taps) != 1:
            raise ValueError(f"MTP reads one state of each token, not {len(spec.taps)}")
        super().__init__(spec, shape, width)
        self.token_norm, self.state_norm = nn.RMSNorm(width, eps), nn.RMSNorm(width, eps)
        self.join = nn.Linear(2 * width, width, bias=False)
        self.attention_norm, self.norm = nn.RMSNorm(width, eps), nn.RMSNorm(width, eps)

    def entering(self, states: Tensor) -> Tensor:
        return states[..., 0, :].to(self.join.weight.dtype)

    def attention_inputs(self, embedded: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        joined = self.join(torch.cat([self.token_norm(embedded), self.state_norm(features)], dim=-1))
        return joined, joined

    def ready(self, guesses: Tensor) -> Tensor:
        normed: Tensor = self.norm(guesses)
        return normed


class EagleReader:
    """Drafts with an EAGLE head: it keeps the keys and values of the pairs of the text, and for one draft those of guesses after them.

    Attributes:
        vocabulary: the length of every row of scores.
        length: the number of pairs read, without guesses.
    """

    def __init__(self, network: EagleHead, borrowed: Frozen) -> None:
        self._network, self._borrowed = network, borrowed
        self.vocabulary, self.device = borrowed.vocabulary, network.out.weight.device
        self.length = 0
        self._capacity = -1
        self._parents: list[int] = []
        self._outputs = network.out.weight.new_zeros(1, network.shape.width)

    @torch.inference_mode()
    def begin(self, capacity: int) -> None:
        """Begin a new text of at most `capacity` tokens, guesses included."""
        self._borrowed.check_width(self._network.shape.width)
        if capacity > self._capacity:
            network, self._capacity = self._network, capacity
            self._buffers = network.out.weight.new_zeros(2, network.shape.kv_heads, capacity, network.shape.head_width)
            self._rotate = network.rotation(capacity)
        self.length, self._parents = 0, []

    @torch.inference_mode()
    def read(self, states: Tensor, following: Tensor) -> Tensor:
        """Append n pairs of the text, after dropping all guesses.

        Args:
            states: [n, taps, width] the target's states of n tokens.
            following: [n] the token that followed each of them.

        Returns:
            [V] scores of the token after the last of these.
        """
        self.drop()
        at = slice(self.length, self.length + following.shape[0])
        self.length = at.stop
        self._outputs = self._pass(following, self._network.entering(states), at, at, None, last=True)
        return self._scores(self._outputs)[0]

    @torch.inference_mode()
    def guess(self, tokens: Tensor, parents: Sequence[int]) -> Tensor:
        """Read [m] guessed tokens, each with the state that was guessed when its parent was read.

        Args:
            parents: counted as in `LanguageModel.forward`; every parent was read by an earlier call.

        Returns:
            [m, V] scores of the token after each of them.
        """
        assert max(parents) < 0, "a guess needs the state that its parent's pass gave"
        first = len(self._parents)
        self._parents = [*self._parents, *(first + parent for parent in parents)]
        positions = positions_of(self.length, self._parents, len(parents), self.device)
        if list(parents) == [-1]:
            features = self._outputs[-1:]
        else:
            before = torch.tensor([first + parent + 1 for parent in parents], device=self.device)
            features = self._outputs[before]
        at = slice(positions.begin, positions.end)
        guesses = self._pass(tokens, features, at, at if positions.ids is None else positions.ids, positions.attends)
        self._outputs = torch.cat([self._outputs, guesses])
        return self._scores(guesses)

    def drop(self) -> None:
        """Drop all guesses: their keys and values came from states that the target never had."""
        self._parents, self._outputs = [], self._outputs[:1]

    def _pass(
        self,
        tokens: Tensor,
        features: Tensor,
        at: slice,
        positions: Tensor | slice,
        mask: Tensor | None,
        *,
        last: bool = False,
    ) -> Tensor:
        """[n, width] the guesses for n pairs, whose keys and values are written to the slots `at`; of the last pair alone, [1, width], if that
        is all that is asked for: in a single layer nothing else depends on what the others read."""
        keys, values = self._buffers

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            keys[:, at] = self._rotate(k, positions).transpose(0, 1)
            values[:, at] = v.transpose(0, 1)
            turned = self._rotate(q[-1:], slice(at.stop - 1, at.stop)) if last else self._rotate(q, positions)
            return attended(turned, keys[:, : at.stop], values[:, : at.stop], mask)

        guesses: Tensor = self._network(self._borrowed.embed(tokens), features, attend)
        return guesses

    def _scores(self, guesses: Tensor) -> Tensor:
        return self._borrowed.full(self._borrowed.score(self._network.ready(guesses)))
