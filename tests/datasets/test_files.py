"""Files of the data sets: every failure ends in a clear error and leaves no half-written file."""

import gzip
import hashlib
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from treelib import datasets
from treelib.datasets import files
from treelib.datasets.files import Download
from treelib.datasets.sources import intrusion, titanic, uci_downloads

MIRROR = Path(os.environ.get(files.MIRROR_VARIABLE, "not-set"))
HTRU2 = "bornagain/HTRU2/HTRU2.csv"
HEADER = b"a,b,Class\nF,F,B\n"


class Server(ThreadingHTTPServer):
    """Serves what `pages` holds: path -> (status, announced length or None, body); counts the requests."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.n_requests = {}, 0

    def address(self, page):
        return f"http://127.0.0.1:{self.server_port}{page}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.n_requests += 1
        status, length, body = self.server.pages[self.path]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, no mirror, nothing remembered from other tests; returns the cache folder."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv(files.MIRROR_VARIABLE, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    datasets._read.cache_clear()
    yield tmp_path / "cache"
    datasets._read.cache_clear()


def list_download(monkeypatch, path, address, content=None):
    """Make `path` the only file that may be downloaded; its checksum is that of `content`."""
    digest = "" if content is None else hashlib.sha256(content).hexdigest()
    monkeypatch.setattr(files, "downloads", lambda: {path: Download(path, digest, address)})


def stored(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_download_is_kept(server, cache, monkeypatch):
    """A good download is damaged on its way, or fetched again at the next call."""
    content = HEADER + b"1.5,2,0\n"
    server.pages["/good"] = (200, None, content)
    list_download(monkeypatch, HTRU2, server.address("/good"), content)
    path = files.fetch(HTRU2)
    assert path.read_bytes() == content and path == cache / "data" / HTRU2
    assert files.fetch(HTRU2) == path and server.n_requests == 1
    X, y, names = uci_downloads.htru2()
    assert X.tolist() == [[1.5, 2.0]] and y.tolist() == [0] and names == ["a", "b"]


@pytest.mark.parametrize("damage", ["empty", "truncated", "changed"])
def test_damaged_cache_is_downloaded_again(damage, server, cache, monkeypatch):
    """A damaged file in the cache is used."""
    content = HEADER + b"1.5,2,0\n"
    server.pages["/good"] = (200, None, content)
    list_download(monkeypatch, HTRU2, server.address("/good"), content)
    path = files.fetch(HTRU2)
    path.write_bytes(
        {"empty": b"", "truncated": content[:-3], "changed": content.replace(b"2", b"3")}[damage]
    )
    assert files.fetch(HTRU2).read_bytes() == content and server.n_requests == 2


@pytest.mark.parametrize("failure", ["truncated", "checksum", "404", "500", "refused", "no such host"])
def test_failed_download(failure, server, cache, monkeypatch):
    """A failed download leaves a file behind, or its error hides the set, the address or the variable."""
    content = HEADER + b"1.5,2,0\n" * 1000
    server.pages["/truncated"] = (200, len(content), content[:5000])
    server.pages["/checksum"] = (200, None, content.replace(b"2", b"3"))
    server.pages["/404"] = (404, None, b"not here")
    server.pages["/500"] = (500, None, b"out of order")
    address = server.address(f"/{failure}")
    if failure == "refused":
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{unused.getsockname()[1]}/file"
    if failure == "no such host":
        address = "http://host.invalid/file"
    list_download(monkeypatch, HTRU2, address, content)
    with pytest.raises(datasets.DatasetError) as caught:
        datasets.load("bornagain/HTRU2/raw")
    message = str(caught.value)
    assert "'bornagain/HTRU2/raw'" in message and address in message and "TREELIB_DATA_DIR" in message
    assert ("damaged or has changed" if failure == "checksum" else "failed") in message
    assert stored(cache) == []


def test_unwritable_cache(server, tmp_path, cache, monkeypatch):
    """A cache folder that cannot be made or written to is noticed late, or answered by an OSError."""
    (tmp_path / "file").write_text("a file where a folder should be")
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path / "file" / "cache"))
    list_download(monkeypatch, HTRU2, server.address("/good"), b"")
    with pytest.raises(datasets.DatasetError, match="cannot write to the cache folder") as caught:
        datasets.load("bornagain/HTRU2")
    assert "TREELIB_CACHE_DIR" in str(caught.value) and "TREELIB_DATA_DIR" in str(caught.value)
    assert server.n_requests == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_cache(server, cache, monkeypatch):
    """A cache folder without write permission is answered by a bare OSError."""
    cache.mkdir(mode=0o500)
    list_download(monkeypatch, HTRU2, server.address("/good"), b"")
    with pytest.raises(datasets.DatasetError, match="cannot write to the cache folder"):
        files.fetch(HTRU2)


def test_mirror_comes_first(server, tmp_path, cache, monkeypatch):
    """A file of the mirror is ignored, or not checked, or its damage is answered by a download."""
    content = HEADER + b"1.5,2,0\n"
    list_download(monkeypatch, HTRU2, server.address("/none"), content)
    path = tmp_path / "mirror" / HTRU2
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    monkeypatch.setenv(files.MIRROR_VARIABLE, str(tmp_path / "mirror"))
    assert files.fetch(HTRU2) == path and server.n_requests == 0
    path.write_bytes(content[:-1])
    with pytest.raises(datasets.DatasetError, match="damaged or another version") as caught:
        datasets.load("bornagain/HTRU2/raw")
    assert str(path) in str(caught.value)
    monkeypatch.setenv(files.MIRROR_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(datasets.DatasetError, match=r"TREELIB_DATA_DIR=.*is not a folder"):
        files.fetch(HTRU2)


def test_file_without_address(cache):
    """A file that only the mirror has is looked for at an empty address."""
    with pytest.raises(datasets.DatasetError, match="has no pinned address") as caught:
        datasets.load("dyadic/raetsch/diabetis")
    message = str(caught.value)
    assert "TREELIB_DATA_DIR (not set)" in message and "dyadic/raetsch/diabetis.mat" in message
    with pytest.raises(datasets.DatasetError, match=r"File 'dyadic/raetsch/diabetis\.mat'"):
        datasets.path("dyadic/raetsch/diabetis.mat")


@pytest.mark.parametrize(
    "body", [b"A,B\nno numbers", b"sex,age,Time,N,Type,Area,Result\n1,35,12,5,1,100,0\n", b""]
)
def test_download_checked_by_content(body, server, cache, monkeypatch):
    """A file without a checksum is believed, or kept although the set read from it is wrong."""
    page = "tsallis/cryotherapy_online.csv"
    server.pages["/file"] = (200, None, body)
    list_download(monkeypatch, page, server.address("/file"))
    with pytest.raises(datasets.DatasetError, match="'tsallis/cryotherapy'"):
        datasets.load("tsallis/cryotherapy")
    assert stored(cache) == []


def test_published_form_of_the_fires():
    """A region, the repaired row or the header of the published file is misread."""
    text = (
        "Bejaia Region Dataset ,,,\n"
        "day,month, RH,Classes  \n"
        "1,6,57,not\n"
        ",,,\n"
        "Sidi-Bel Abbes Region Dataset,,,\n"
        "day,month, RH,Classes  \n"
        "2,6,14.6 9,\n"
        "3,6,58,1\n"
    ).replace("not", "0")
    header, rows = uci_downloads.parse_algerian(text)
    assert header == ["region", "day", "month", "RH", "Classes"]
    assert rows == [[0, "1", "6", "57", "0"], [1, "2", "6", "14.6", "9"], [1, "3", "6", "58", "1"]]


@pytest.mark.skipif(not MIRROR.is_dir(), reason="TREELIB_DATA_DIR does not name a folder")
def test_published_forms_give_the_same_sets(server, cache, monkeypatch):
    """Fires or cryotherapy read from a download in the published form are not the sets of the registry."""
    fires = (MIRROR / "tsallis/algerian_forest_fires.csv").read_text().splitlines()
    blocks = [
        f"{region} Region Dataset ,,\n{fires[0].removeprefix('region,')}\n"
        + "".join(line.partition(",")[2] + "\n" for line in fires[1:] if line.startswith(region))
        for region in uci_downloads.ALGERIAN_REGIONS
    ]
    fires = ",,\n".join(blocks).replace(",14.6,9.0,", ",14.6 9,").encode()
    warts = (MIRROR / "tsallis/cryotherapy.csv").read_bytes().replace(b"\n", b"\r\n")
    for name, content in (("algerian_forest_fires", fires), ("cryotherapy", warts)):
        server.pages[f"/{name}"] = (200, None, content)
        list_download(monkeypatch, f"tsallis/{name}_online.csv", server.address(f"/{name}"))
        assert len(datasets.load(f"tsallis/{name}").X) in (90, 244)


def test_published_form_of_the_intrusions(tmp_path, monkeypatch):
    """The wrong columns are taken from the competition's file, or equal rows are not counted together."""
    rows = [[str(100 * row + column) for column in range(41)] for row in (2, 1, 2)]
    text = "".join(
        ",".join([*row, label]) + "\n"
        for row, label in zip(rows, ("smurf.", "normal.", "smurf."), strict=True)
    )
    path = tmp_path / "kddcup.gz"
    path.write_bytes(gzip.compress(text.encode()))
    monkeypatch.delenv(files.MIRROR_VARIABLE, raising=False)
    monkeypatch.setattr(files, "fetch", lambda name: path)
    X, y, _, counts = intrusion.intrusion_counts()
    assert X.tolist() == [[104, 105, 122, 131], [204, 205, 222, 231]]
    assert y.tolist() == [0, 1] and counts.tolist() == [1, 2]


def test_published_splits(tmp_path, monkeypatch):
    """A split of the benchmark's file is read one row or one split off."""
    from scipy.io import savemat

    x = np.arange(12.0).reshape(6, 2)
    t = np.array([[-1], [1], [1], [-1], [1], [-1]])
    splits = {"train": np.array([[1, 2], [3, 4]]), "test": np.array([[3, 4, 5, 6], [1, 2, 5, 6]])}
    savemat(tmp_path / "benchmarks.mat", {"banana": {"x": x, "t": t, **splits}})
    monkeypatch.delenv(files.MIRROR_VARIABLE, raising=False)
    monkeypatch.setattr(files, "fetch", lambda name: tmp_path / "benchmarks.mat")
    train, test = datasets.raetsch_split("banana", 2)
    assert train.X.tolist() == [[4, 5], [6, 7]] and train.y.tolist() == [1, 0]
    assert test.X.tolist() == [[0, 1], [2, 3], [8, 9], [10, 11]] and test.y.tolist() == [0, 1, 1, 0]
    with pytest.raises(ValueError, match="has the splits 1 to 2"):
        datasets.raetsch_split("banana", 3)


def test_online_set(cache, monkeypatch):
    """The set that is online only fails with a foreign error, or takes whatever it is given for the set."""
    import sklearn.datasets
    from sklearn.utils import Bunch

    def offline(**arguments):
        raise OSError("no network")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", offline)
    with pytest.raises(datasets.DatasetError, match=r"'tsallis/HAR'.*online only.*must not stand in"):
        datasets.load("tsallis/HAR")
    other = Bunch(data=np.zeros((2, 561)), target=np.array(["1", "2"]), feature_names=["f"] * 561)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **arguments: other)
    with pytest.raises(datasets.DatasetError, match="its shape is"):
        datasets.load("tsallis/HAR")


@pytest.mark.parametrize("damage", ["missing", "truncated", "not gzip", "a value", "a label", "text"])
def test_damaged_copy(damage, tmp_path, cache, monkeypatch):
    """A damaged copy in the project is loaded, or answered by an error that does not name the set."""
    content = (files.data_root() / "seeds" / "seeds.csv.gz").read_bytes()
    text = gzip.decompress(content)
    damaged = {
        "truncated": content[:-20],
        "not gzip": b"PK" + content[2:],
        "a value": gzip.compress(text.replace(b"15.26", b"15.25", 1)),
        "a label": gzip.compress(text[:-2] + b"1\n"),
        "text": gzip.compress(text[:-40] + b"garbage\n"),
    }
    (tmp_path / "seeds").mkdir()
    if damage != "missing":
        (tmp_path / "seeds" / "seeds.csv.gz").write_bytes(damaged[damage])
    (tmp_path / "downloads.csv").write_bytes((files.data_root() / "downloads.csv").read_bytes())
    monkeypatch.setattr(files, "data_root", lambda: tmp_path)
    with pytest.raises(datasets.DatasetError, match="'tsallis/seeds'"):
        datasets.load("tsallis/seeds")


def test_changed_rules_are_noticed(cache, monkeypatch):
    """An edit of a generator goes unnoticed."""
    X, y = titanic.titanic()
    monkeypatch.setattr(titanic, "titanic", lambda: (X[::-1], y[::-1]))
    with pytest.raises(datasets.DatasetError, match=r"'dyadic/titanic' \(generated\).*its SHA-256 is"):
        datasets.load("dyadic/titanic")


def test_data_root_of_an_installed_package(tmp_path, monkeypatch):
    """An installed package looks for its copies beside itself, or a checkout inside itself."""
    monkeypatch.setattr(files, "PACKAGE", tmp_path / "treelib")
    assert files.data_root() == tmp_path / "data"
    (tmp_path / "treelib" / "_data").mkdir(parents=True)
    assert files.data_root() == tmp_path / "treelib" / "_data"


def test_list_of_downloads():
    """A listed file leaves the folder, cannot be checked, or has an address that may change."""
    listed = files.downloads()
    assert len(listed) == 85
    for path, download in listed.items():
        assert path == download.path and not Path(path).is_absolute() and ".." not in path
        assert len(download.sha256) in (0, 64) and (download.sha256 or download.address)
        if "raw.githubusercontent.com" in download.address:
            assert len(download.address.split("/")[5]) == 40
