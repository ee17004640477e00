"""Fitting of FCN and OSCNN: the only module that needs PyTorch (requirements-train.txt).

A network is trained with the published settings, the weights with the best validation loss are
kept, and batch normalisation is folded into the convolutions: `detectors.learned.networks` runs the
result without PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from detectors.learned.networks import paddings
from detectors.learned.windows import Singles
from detectors.training.labels.labelled_windows import LabelledWindows, Labels

Arrays = dict[str, NDArray[np.float16]]
Progress = Callable[[str], object]

RATE, LEAST_RATE, BETAS, TINY = 1e-3, 1e-4, (0.9, 0.999), 1e-8  # of Adam
HALVED_AFTER: Final = 20  # epochs without a better validation loss, upon which the rate is halved
STOPPED_AFTER: Final = 50  # … and the training ends
FEW_STEPS: Final = 100  # an epoch; below, running statistics need a larger share of each batch
CHANNELS: Final = (128, 256, 128)
TAPS: Final = (8, 5, 3)
SIZES: Final = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23)  # of OSCNN's kernels: 1 and the primes to 25
EACH: Final = (10, 22)  # kernels of every size in its first two layers
LAST: Final = (1, 2)  # sizes in its third, 100 of each
LAST_EACH: Final = 100


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """Length and device of a network's training; the defaults are the published ones."""

    epochs: int = 500
    batch: int = 1024
    device: str = "cpu"


@dataclass(frozen=True, slots=True, eq=False)
class Convolution:
    """One layer to be: kernels of `sizes`, `each` of a size, run as one of the largest."""

    channels: int
    sizes: tuple[int, ...]
    each: int

    @property
    def out(self) -> int:
        return self.each * len(self.sizes)

    @property
    def taps(self) -> int:
        return max(self.sizes)

    def mask(self) -> Tensor:
        """1 where a kernel has weights, (out, 1, taps); each size lies in the middle."""
        mask = torch.zeros(self.out, 1, self.taps)
        for number, size in enumerate(self.sizes):
            begin, end = span(size, self.taps)
            mask[number * self.each : (number + 1) * self.each, :, begin:end] = 1
        return mask


def span(size: int, taps: int) -> tuple[int, int]:
    """Begin and end of a kernel of `size` within one of `taps`."""
    right_padding = taps // 2 - size // 2  # ceil((taps - 1) / 2) - ceil((size - 1) / 2)
    return taps - size - right_padding, taps - right_padding


def layout(slug: str) -> tuple[Convolution, ...]:
    """The three layers of a method."""
    if slug == "fcn":
        input_channels = (1, *CHANNELS[:2])
        return tuple(
            Convolution(c, (taps,), output_count)
            for c, taps, output_count in zip(input_channels, TAPS, CHANNELS, strict=True)
        )
    first = Convolution(1, SIZES, EACH[0])
    second = Convolution(first.out, SIZES, EACH[1])
    return first, second, Convolution(second.out, LAST, LAST_EACH)


def built(slug: str, momentum: float) -> nn.Sequential:
    """The network with its first weights; FCN has one output, OSCNN two."""
    layers: list[nn.Module] = []
    for convolution_layout in layout(slug):
        convolution = nn.Conv1d(
            convolution_layout.channels, convolution_layout.out, convolution_layout.taps
        )
        if slug == "fcn":
            nn.init.xavier_uniform_(convolution.weight)
            if convolution.bias is not None:
                nn.init.zeros_(convolution.bias)
        else:
            _as_short_kernels(convolution, convolution_layout)
        eps = 1e-3 if slug == "fcn" else 1e-5
        layers += [
            nn.ConstantPad1d(paddings(convolution_layout.taps), 0.0),
            convolution,
            nn.BatchNorm1d(convolution_layout.out, eps=eps, momentum=momentum),
            nn.ReLU(),
        ]
    dense = nn.Linear(layout(slug)[-1].out, 1 if slug == "fcn" else 2)
    if slug == "fcn":
        nn.init.xavier_uniform_(dense.weight)
        nn.init.zeros_(dense.bias)
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), dense)


def _as_short_kernels(convolution: nn.Conv1d, convolution_layout: Convolution) -> None:
    """PyTorch's own first weights of a convolution of each short length; the rest stays zero."""
    mask = convolution_layout.mask()
    bound = (convolution_layout.channels * mask.sum(dim=2, keepdim=True)).rsqrt()  # (out, 1, 1)
    with torch.no_grad():
        convolution.weight.uniform_(-1, 1).mul_(bound).mul_(mask)
        if convolution.bias is not None:
            convolution.bias.uniform_(-1, 1).mul_(bound.flatten())
    # A weight that begins at zero and never sees a gradient stays there under Adam.
    convolution.weight.register_hook(lambda gradient: gradient * mask.to(gradient.device))


class NetworkTrainer:
    """One network on its way; its state can be stored after every epoch, and taken up again."""

    def __init__(
        self, slug: str, options: NetworkOptions, *, steps: int, seed: int, fold: int
    ) -> None:
        torch.manual_seed(1000 * seed + fold)
        published_rate = 0.01 if slug == "fcn" else 0.1
        self.slug, self.options, self.seed, self.fold = slug, options, seed, fold
        self.network = built(slug, published_rate if steps >= FEW_STEPS else 0.1).to(options.device)
        self.adam = torch.optim.Adam(self.network.parameters(), lr=RATE, betas=BETAS, eps=TINY)
        self.best: dict[str, Any] = self._weights()
        self.best_loss = float("inf")
        self.epoch = self.waited = self.worse = 0

    @property
    def is_done(self) -> bool:
        return self.epoch >= self.options.epochs or self.worse >= STOPPED_AFTER

    def one_epoch(self, fit: LabelledWindows, check: LabelledWindows) -> float:
        """Go once through `fit`; the loss on `check`."""
        self.network.train()
        generator = np.random.default_rng([self.seed, self.fold, self.epoch])
        order = generator.permutation(fit.stable.size)
        for rows in _parts(order, self.options.batch):
            if rows.size > 1:  # a batch of one has no variance
                self.adam.zero_grad()
                self._loss(fit.windows[rows], fit.stable[rows]).backward()
                self.adam.step()
        self.epoch += 1
        loss = self._checked(check)
        self._judge(loss)
        return loss

    def _checked(self, check: LabelledWindows) -> float:
        self.network.eval()
        total = 0.0
        with torch.no_grad():
            for rows in _parts(np.arange(check.stable.size), self.options.batch):
                loss = self._loss(check.windows[rows], check.stable[rows])
                total += float(loss) * rows.size
        return total / max(check.stable.size, 1)

    def _loss(self, windows: Singles, is_stable: Labels) -> Tensor:
        device = self.options.device
        logits = self.network(torch.from_numpy(windows[:, None, :]).to(device))
        if self.slug == "fcn":
            targets = torch.from_numpy(is_stable.astype(np.float32)).to(device)
            return nn.functional.binary_cross_entropy_with_logits(logits[:, 0], targets)
        return nn.functional.cross_entropy(
            logits, torch.from_numpy(is_stable.astype(np.int64)).to(device)
        )

    def _judge(self, loss: float) -> None:
        """Keep the best weights, and slow down where nothing gets better."""
        if loss < self.best_loss:
            self.best, self.best_loss = self._weights(), loss
            self.waited = self.worse = 0
            return
        self.waited, self.worse = self.waited + 1, self.worse + 1
        if self.waited >= HALVED_AFTER:
            self.waited = 0
            for group in self.adam.param_groups:
                group["lr"] = max(group["lr"] / 2, LEAST_RATE)

    def _weights(self) -> dict[str, Any]:
        return {name: tensor.detach().clone() for name, tensor in self.network.state_dict().items()}

    def store(self, path: Path) -> None:
        """Everything that the next epoch depends on; written whole or not at all."""
        counts = (self.epoch, self.waited, self.worse, self.best_loss)
        partial_path = path.with_suffix(".part")
        torch.save((self._weights(), self.adam.state_dict(), self.best, counts), partial_path)
        partial_path.replace(path)

    def take_up(self, path: Path) -> None:
        """Go on from a stored state."""
        weights, adam, self.best, counts = torch.load(path, weights_only=True)
        self.network.load_state_dict(weights)
        self.adam.load_state_dict(adam)
        self.epoch, self.waited, self.worse, self.best_loss = counts

    def export_weights(self) -> Arrays:
        """The best weights as arrays, normalisation folded in, two bytes a number."""
        self.network.load_state_dict(self.best)
        self.network.eval()
        modules = list(self.network)
        arrays: Arrays = {}
        for number in range(len(layout(self.slug))):
            convolution, norm = modules[4 * number + 1 : 4 * number + 3]
            gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weights = convolution.weight * gain[:, None, None]
            bias = (convolution.bias - norm.running_mean) * gain + norm.bias
            arrays[f"w{number + 1}"], arrays[f"b{number + 1}"] = _halves(weights), _halves(bias)
        arrays["wd"], arrays["bd"] = _halves(modules[-1].weight), _halves(modules[-1].bias)
        return arrays


def _halves(values: Tensor) -> NDArray[np.float16]:
    halves: NDArray[np.float16] = values.detach().cpu().numpy().astype(np.float16)
    return halves


def _parts(order: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
    return (order[begin : begin + size] for begin in range(0, order.size, size))


def train_network(
    slug: str,
    fit: LabelledWindows,
    check: LabelledWindows,
    *,
    options: NetworkOptions,
    seed: int,
    fold: int,
    state: Path,
    progress: Progress,
) -> Arrays:
    """The exported network of a fold; goes on from `state` if there is such a file."""
    steps = -(-fit.stable.size // options.batch)
    trainer = NetworkTrainer(slug, options, steps=steps, seed=seed, fold=fold)
    if state.is_file():
        trainer.take_up(state)
    while not trainer.is_done:
        loss = trainer.one_epoch(fit, check)
        trainer.store(state)
        progress(f"epoch {trainer.epoch}: loss {loss:.4f}, best {trainer.best_loss:.4f}")
    return trainer.export_weights()


def scores(arrays: Arrays, windows: Singles, options: NetworkOptions) -> NDArray[np.float64]:
    """Score that `detectors.learned.networks` gives each window, many at a time."""
    score_parts = [np.empty(0)]
    tensors = {
        name: torch.from_numpy(array.astype(np.float32)).to(options.device)
        for name, array in arrays.items()
    }
    with torch.no_grad():
        for rows in _parts(np.arange(windows.shape[0]), options.batch):
            x = torch.from_numpy(windows[rows][:, None, :]).to(options.device)
            for number in (1, 2, 3):
                weights = tensors[f"w{number}"]
                x = nn.functional.pad(x, paddings(weights.shape[2]))
                x = torch.relu(nn.functional.conv1d(x, weights, tensors[f"b{number}"]))
            dense = torch.atleast_2d(tensors["wd"])
            logits = x.mean(dim=2) @ dense.T + tensors["bd"]
            score_parts.append(torch.sigmoid(logits[:, -1]).double().cpu().numpy())
    return np.concatenate(score_parts)
