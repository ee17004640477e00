"""Files as they arrive in an upload: on disk and closed, however many there are.

Django keeps the files of a large request open, each with a handle; a thousand of them would pass
what a process may open, and in memory they would be a thousand times what one is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from series.importing.upload_files import folder

BLOCK = 1 << 20


class ReceivedUpload(UploadedFile):
    """A file of an upload; `close`, which Django calls after the request, removes it."""

    def __init__(self, path: Path, name: str, size: int) -> None:
        super().__init__(file=None, name=name, size=size)
        self.path = path

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        with self.path.open("rb") as stream:
            while block := stream.read(chunk_size or BLOCK):
                yield block

    def close(self) -> None:
        self.path.unlink(missing_ok=True)


class DiskUploadHandler(FileUploadHandler):
    """Writes each file of an upload to a file of its own, and closes it."""

    out: IO[bytes] | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        # Open until the file has arrived, which is a call of another method.
        self.out = tempfile.NamedTemporaryFile(  # noqa: SIM115
            dir=folder(), suffix=".arriving", delete=False
        )

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if self.out:
            self.out.write(raw_data)
        return None

    def file_complete(self, file_size: int) -> UploadedFile | None:
        if self.out is None:
            return None
        self.out.close()
        return ReceivedUpload(Path(self.out.name), self.file_name or "upload", file_size)

    def upload_interrupted(self) -> None:
        if self.out:
            self.out.close()
            Path(self.out.name).unlink(missing_ok=True)
