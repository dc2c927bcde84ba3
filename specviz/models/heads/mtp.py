"""Multi-token prediction: one decoder layer that reads the target's last state and the next token's embedding, each normalised, joined by one matrix.

DeepSeek-V3 (DeepSeek-AI, arXiv 2412.19437, section 2.2, equations 21 to 23) trains such a layer with the model and publishes it in the same checkpoint
(`enorm`, `hnorm`, `eh_proj`, a full layer, `shared_head.norm`); Qwen3-Next has the same parts under other names (`pre_fc_norm_embedding`,
`pre_fc_norm_hidden`, `fc`, a layer, `norm`). Embedding and output layer are the target's. The layer does not have to hit the
target's next state: it is only asked for the right token.

There is one layer for the token after the next one. For further tokens it reads its own last state in place of the target's: in DeepSeek's form the state
before the last normalisation, in Qwen's form the one after it.
"""

import torch
from torch import Tensor, nn

from specviz.models.heads.eagle import Attend, EagleHead
from specviz.models.heads.layer import LayerShape
from specviz.models.heads.spec import Spec


class MtpHead(EagleHead):
    """A layer of multi-token prediction that was trained for a frozen target. Raises ValueError if the spec is not one
    of such a head.

    Attributes:
        normed: whether a further guess reads the normalised state (Qwen's form), `Spec.options["normed"]`.
    """

    def __init__(self, spec: Spec) -> None:
        shape = LayerShape.of(spec)
        width, eps = shape.width, shape.norm_eps
        if len(spec.taps) != 1:
            raise ValueError(f"MTP reads one state of each token, not {len(spec.taps)}")
        super().__init__(spec, shape, width)
        self.normed = spec.options.get("normed", False)
        if not isinstance(self.normed, bool):
            raise ValueError("normed is neither true nor false")  # noqa: TRY004  # like the other damaged options
        self.token_norm, self.state_norm = nn.RMSNorm(width, eps), nn.RMSNorm(width, eps)
        self.join = nn.Linear(2 * width, width, bias=False)
        self.attention_norm, self.norm = nn.RMSNorm(width, eps), nn.RMSNorm(width, eps)

    def entering(self, states: Tensor) -> Tensor:
        return states[..., 0, :].to(self.join.weight.dtype)

    def attention_inputs(self, embedded: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        joined = self.join(torch.cat([self.token_norm(embedded), self.state_norm(features)], dim=-1))
        return joined, joined

    def forward(self, embedded: Tensor, features: Tensor, attend: Attend) -> Tensor:
        guesses = super().forward(embedded, features, attend)
        return self.norm(guesses) if self.normed else guesses

    def ready(self, guesses: Tensor) -> Tensor:
        return guesses if self.normed else self.norm(guesses)
