"""Every error that this package raises on purpose, each with one sentence that can be shown to the user."""


def brief(error: BaseException | str, most: int = 200) -> str:
    """An error's message in one line of at most so many characters, without a path; the name of its class where it has no message."""
    text = " ".join(str(getattr(error, "strerror", None) or error).split())[:most].rstrip(".")
    return text.encode("utf-8", "replace").decode() or type(error).__name__


class SpecvizError(Exception):
    """The base class of all errors that this package raises on purpose."""


class InputError(SpecvizError):
    """The request cannot be carried out (command line: exit code 2)."""


class PromptError(InputError):
    """The prompt is empty, or too long for the models."""


class SettingsError(InputError):
    """A setting is outside its range."""


class PairError(SpecvizError):
    """The models cannot be loaded, or cannot work together."""


class UnknownPairError(PairError):
    """No pair has this name."""


class ModelFolderError(PairError):
    """A local model folder is missing or broken."""


class HubError(PairError):
    """A model with a hub id cannot be downloaded."""


class TokenizerMismatchError(PairError):
    """Target and draft do not split text into the same tokens."""


class CacheError(PairError):
    """The model's cache cannot be rolled back, so rejected tokens could not be dropped."""


class ScoresError(PairError):
    """A model's scores are not numbers, so no token can be drawn from them."""


class DeviceError(PairError):
    """The device or number format is not available on this machine."""


class DeviceLostError(PairError):
    """The device failed in a way that needs a new process."""


class DrafterError(SpecvizError):
    """A drafter of somebody's own proposed what is no draft."""


class TraceError(SpecvizError):
    """A recording does not follow its schema, or cannot be read or written."""


class LessonError(SpecvizError):
    """A lesson's file has a mistake, or the lesson cannot be written as a page."""


class WorkerError(SpecvizError):
    """The engine process has stopped, or cannot be reached."""
