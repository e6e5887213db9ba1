"""Files that are written whole or not at all."""

import os
import secrets
import tempfile


def make_folder(folder):
    """Make the Path `folder` where there is none; OSError where no files can be made in it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def write_whole(path, content, durable=False):
    """Write bytes to `path` such that nobody ever reads a part of them.

    Parameters
    ----------
    path : Path, whose folder exists
    content : bytes
    durable : bool, whether they are on the disk when this returns, and outlive a loss of power

    Raises
    ------
    OSError : it cannot be written; what stood there still stands.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with open(temporary, "xb") as file:  # who may read it is up to the user's umask
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def left_behind(path):
    """Files that a process which was killed in `write_whole` left beside `path`."""
    return list(path.parent.glob(f".{path.name}.*"))
