"""Files that are written whole or not at all."""

import os
import tempfile


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
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def left_behind(path):
    """Files that a process which was killed in `write_whole` left beside `path`."""
    return list(path.parent.glob(f".{path.name}.*"))
