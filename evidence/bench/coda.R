# geweke.diag and heidel.diag of coda as they are called: asked by `bench.neighbours`.
#
# R --no-echo --vanilla -f bench/coda.R --args FILE ROUNDS: a call, a space and a series on each
# line of FILE; on each line of the output the milliseconds of that call, and its answer, 0-based.

library(coda)
asked <- commandArgs(trailingOnly = TRUE)
rounds <- as.integer(asked[2])
NEVER <- -1

# The starts of geweke.plot, one after the other, until one passes.
geweke <- function(x) {
  for (place in seq(1, (1 + niter(x)) / 2, length.out = 20)) {
    z <- geweke.diag(window(x, start = place))$z
    if (is.finite(z) && abs(z) < qnorm(0.975)) return(start(window(x, start = place)) - 1)
  }
  NEVER
}

heidel <- function(x) {
  found <- heidel.diag(x)
  if (found[1, "stest"] == 1) found[1, "start"] - 1 else NEVER
}

milliseconds <- function(work) {
  work()
  times <- sapply(seq_len(rounds), function(round) {
    began <- proc.time()[["user.self"]]
    for (again in 1:20) work()
    (proc.time()[["user.self"]] - began) * 1000 / 20
  })
  if (rounds > 0) median(times) else 0
}

for (line in readLines(asked[1])) {
  parts <- strsplit(line, " ")[[1]]
  call <- list(geweke = geweke, heidel = heidel)[[parts[1]]]
  x <- mcmc(as.numeric(parts[-1]))
  cat(milliseconds(function() call(x)), call(x), as.character(packageVersion("coda")), "\n")
}
