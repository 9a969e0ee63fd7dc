# Rscript make.R CSRANKS_R_FOLDER > expected.csv    (the folder R/ of the csranks sources)
folder <- commandArgs(trailingOnly = TRUE)[1]
for (file in c("argument_checks.R", "utilityfunctions.R", "rank_utils.R", "diffmeans.R", "ranks.R")) source(file.path(folder, file))
draws <- 200000
theta <- c(0.62, 0.60, 0.598, 0.55, 0.50, 0.31)
se <- c(0.010, 0.012, 0.011, 0.015, 0.012, 0.020)
near <- 0.6 ^ abs(outer(1:6, 1:6, "-"))
cases <- list(
  independent = list(x = theta, S = diag(se^2)),
  correlated = list(x = theta, S = outer(se, se) * near),
  step = list(x = c(10, 5, 0, -2.5), S = 0.5 * diag(4)),
  ties = list(x = c(0.5, 0.5, 0.49, 0.44, 0.40), S = 0.014^2 * (0.4 + 0.6 * diag(5)))
)
out <- NULL
for (name in names(cases)) {
  case <- cases[[name]]
  together <- csranks(case$x, case$S, R = draws, seed = 1)
  alone <- csranks(case$x, case$S, R = draws, simul = FALSE, seed = 1)
  one <- csranks(case$x, case$S, R = draws, stepdown = FALSE, seed = 1)
  best <- csranks(case$x, case$S, R = draws, simul = FALSE, cstype = "lower", seed = 1)$L == 1
  for (tau in 1:3) assign(paste0("tau", tau), cstaubest(case$x, case$S, tau = tau, R = draws, seed = 1))
  out <- rbind(out, data.frame(case = name, model = seq_along(case$x), low = together$L, high = together$U,
    one_low = one$L, one_high = one$U,
    alone_low = alone$L, alone_high = alone$U, best_alone = best, tau1 = tau1, tau2 = tau2, tau3 = tau3))
}
write.csv(out, row.names = FALSE, quote = FALSE)
