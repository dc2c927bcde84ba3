"""Every error this package raises on purpose, each with one sentence fit to show a person.

SpecvizError
├── InputError              what was asked for cannot be done as asked (command line: exit code 2)
│   ├── PromptError         empty, or longer than the models can read
│   └── SettingsError       a setting outside its range
├── PairError               the models cannot be loaded or cannot work together
│   ├── UnknownPairError    no pair of that name
│   ├── ModelFolderError    a local folder that is missing or broken
│   ├── HubError            a hub id that cannot be fetched (no network, no such model, no access)
│   ├── TokenizerMismatchError  target and draft do not share a tokenizer
│   ├── CacheError          a model whose cache cannot be rewound
│   └── DeviceError         a device or number format that this machine cannot serve
├── TraceError              a recording that does not follow its schema
├── ProfileError            a cost profile that cannot be read
├── TrainingError           the pair cannot be trained as asked
│   ├── CorpusError         a corpus folder that is missing, incomplete or broken
│   └── CheckpointError     a checkpoint that cannot be written, or does not belong to this recipe
└── WorkerError             the engine process stopped or cannot be reached
"""


class SpecvizError(Exception):
    """The root: catching it catches everything that is raised here on purpose."""


class InputError(SpecvizError):
    """What was asked for cannot be done as asked."""


class PromptError(InputError):
    """The prompt is empty, or too long for the models."""


class SettingsError(InputError):
    """A setting lies outside its range."""


class PairError(SpecvizError):
    """The models cannot be loaded, or cannot work together."""


class UnknownPairError(PairError):
    """No pair goes by this name."""


class ModelFolderError(PairError):
    """A local model folder is missing or broken."""


class HubError(PairError):
    """A model named by its hub id cannot be fetched."""


class TokenizerMismatchError(PairError):
    """Target and draft do not cut text into the same tokens."""


class CacheError(PairError):
    """The model's cache cannot be rewound, so rejected tokens could not be taken back."""


class DeviceError(PairError):
    """The device or number format is not to be had on this machine."""


class DeviceLostError(PairError):
    """The device failed in a way that only a new process recovers from."""


class TraceError(SpecvizError):
    """A recording does not follow its schema."""


class ProfileError(SpecvizError):
    """A cost profile cannot be read, or does not follow its schema."""


class TrainingError(SpecvizError):
    """The pair cannot be trained as asked."""


class CorpusError(TrainingError):
    """The corpus folder is missing, incomplete or broken."""


class CheckpointError(TrainingError):
    """A checkpoint cannot be written or read, or belongs to another recipe."""


class WorkerError(SpecvizError):
    """The engine process stopped, or cannot be reached."""
