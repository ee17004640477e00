"""Stores of values outside the database: files of a folder, or objects of a bucket (S3).

A store keeps bytes under their digest: the same bytes are kept once, and what is kept never
changes. An address names a store and a digest, `folder/3f…`; rows of the database keep it
(`series.models.SeriesValues`), so that values may lie in several places while they are moved.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile

DATABASE, FOLDER, S3 = "database", "folder", "s3"
PLACES: Final = (DATABASE, FOLDER, S3)
PATIENCE: Final = 5  # seconds for a bucket to answer, twice: a page waits
FANNED: Final = 3  # first digits of a digest that name a folder: 4,096 of them


class ValuesUnavailable(Exception):
    """Values outside of the database cannot be had now; the message says where, and why."""


class ValuesMissing(ValuesUnavailable):
    """Their store answers, and has nothing of that digest."""


class ValuesDamaged(ValuesUnavailable):
    """Values whose digest is another than when they were stored."""


class ValuesStore(Protocol):
    """Bytes by their SHA-256, in 64 hexadecimal digits.

    `read` and `write` raise OSError or an error of the store's own where it does not answer, and
    `read` FileNotFoundError for what is not there. To write or delete twice is to do it once.
    """

    def read(self, digest: str) -> bytes: ...

    def write(self, digest: str, data: bytes) -> None: ...

    def delete(self, digest: str) -> None: ...

    def digests(self) -> Iterator[str]: ...


class FolderStore:
    """A file for each, on a disk that web and workers share. A file is whole or not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:FANNED] / digest

    def read(self, digest: str) -> bytes:
        return self._path(digest).read_bytes()

    def write(self, digest: str, data: bytes) -> None:
        """Write bytes to the disk before this returns: a row that names them may be stored."""
        path = self._path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial_path = path.with_name(f".{digest}.{secrets.token_hex(4)}")
        try:
            with partial_path.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            partial_path.replace(path)
        finally:
            partial_path.unlink(missing_ok=True)
        # The new name, too: without it a power cut may leave a row whose file is not there
        folder_descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder_descriptor)
        finally:
            os.close(folder_descriptor)

    def delete(self, digest: str) -> None:
        self._path(digest).unlink(missing_ok=True)

    def digests(self) -> Iterator[str]:
        files = self.folder.glob(f"{'[0-9a-f]' * FANNED}/*")
        return (path.name for path in files if not path.name.startswith("."))


class BucketStore:
    """An object for each, through django-storages (`pip install -r requirements-s3.txt`).

    `bucket`: `NAME`, or `NAME/PREFIX`. Region and keys are where boto3 looks for them.
    """

    def __init__(self, bucket: str, endpoint: str) -> None:
        name, _, prefix = bucket.partition("/")
        try:  # only where it is chosen
            from botocore.config import Config  # noqa: PLC0415
            from storages.backends.s3 import S3Storage  # noqa: PLC0415
        except ImportError as error:
            raise ImproperlyConfigured(
                "Values in S3 need django-storages: pip install -r requirements-s3.txt"
            ) from error
        self._storage: Any = S3Storage(
            bucket_name=name,
            location=prefix,
            endpoint_url=endpoint or None,
            file_overwrite=True,
            client_config=Config(
                connect_timeout=PATIENCE, read_timeout=PATIENCE, retries={"total_max_attempts": 2}
            ),
        )
        # The storage's own is made anew in each thread, which takes longer than a request.
        self._client: Any = self._storage.connection.meta.client

    def read(self, digest: str) -> bytes:
        """One request; the storage's own `open` makes three."""
        storage, client = self._storage, self._client
        key = f"{storage.location}/{digest}".lstrip("/")
        try:
            data: bytes = client.get_object(Bucket=storage.bucket_name, Key=key)["Body"].read()
        except client.exceptions.NoSuchKey as error:
            raise FileNotFoundError(key) from error
        return data

    def write(self, digest: str, data: bytes) -> None:
        self._storage.save(digest, ContentFile(data))

    def delete(self, digest: str) -> None:
        self._storage.delete(digest)

    def digests(self) -> Iterator[str]:
        prefix = self._storage.location
        stored_objects = self._storage.bucket.objects.filter(Prefix=f"{prefix}/" if prefix else "")
        return (stored_object.key.rpartition("/")[2] for stored_object in stored_objects)


# --- the stores of this installation ----------------------------------------------------------
def find_store(name: str) -> ValuesStore:
    """The folder or the bucket of the settings."""
    if name == FOLDER:
        return FolderStore(Path(settings.VALUES_FOLDER))
    if name == S3 and settings.VALUES_BUCKET:
        return _bucket(settings.VALUES_BUCKET, settings.VALUES_S3_ENDPOINT)
    raise ImproperlyConfigured(
        f"Values lie in {name!r}: set VALUES_BUCKET, such as plateau or plateau/values."
        if name == S3
        else f"VALUES_STORE: found {name!r}, expected one of {', '.join(PLACES)}."
    )


_bucket = lru_cache(BucketStore)  # keeps its connections


def configured_stores() -> list[str]:
    """The places outside of the database that the settings name."""
    return [FOLDER, *([S3] if settings.VALUES_BUCKET else [])]


def store_words(store_name: str) -> str:
    """Name where the values of a place lie, as commands say it."""
    if store_name == FOLDER:
        return f"the folder {settings.VALUES_FOLDER}"
    return f"the bucket {settings.VALUES_BUCKET}" if store_name == S3 else "the database"


def read_values(address: str) -> bytes:
    """The bytes at an address, which are those of its digest; else `ValuesUnavailable`."""
    store_name, _, digest = address.partition("/")
    with _named_errors(f"Values at {address}"):
        data = find_store(store_name).read(digest)
    if hashlib.sha256(data).hexdigest() != digest:
        raise ValuesDamaged(f"Values at {address} have another digest than when they were stored")
    return data


def write_values(address: str, data: bytes) -> None:
    """Keep bytes at an address that is named by their digest."""
    store_name, _, digest = address.partition("/")
    with _named_errors(f"Values at {address}"):
        find_store(store_name).write(digest, data)


def delete(address: str) -> None:
    """Let go of what lies there, if anything does."""
    store_name, _, digest = address.partition("/")
    with _named_errors(f"Values at {address}"):
        find_store(store_name).delete(digest)


def digests(store_name: str) -> Iterator[str]:
    """Digests that lie in the folder or the bucket; `ValuesUnavailable` where it cannot be
    listed.
    """
    with _named_errors(f"Values of {store_words(store_name)}"):
        yield from find_store(store_name).digests()


@contextmanager
def _named_errors(subject: str) -> Iterator[None]:
    """Whatever a store raises, as one error with a sentence about `subject`."""
    try:
        yield
    except FileNotFoundError as error:
        raise ValuesMissing(f"{subject} are missing") from error
    except Exception as error:  # each client of a bucket has errors of its own
        reason = " ".join(str(error).split())[:200]
        raise ValuesUnavailable(f"{subject} cannot be reached: {reason}") from error
