# Goodness of fit of two boards by R's own glm, and the extra variance of a balanced one by metafor.
# Rscript make.R, in this folder. See PROVENANCE.md.
suppressMessages(library(metafor))
set.seed(20261130)

# --- votes: 7 models, 16 of 21 pairs met, a departure of each pair from its ratings, some ties ---
m <- 7
theta <- seq(0.9, -0.9, length.out = m)
pairs <- subset(expand.grid(b = 1:m, a = 1:m), a < b)[, c("a", "b")]
pairs <- pairs[-c(3, 8, 11, 15, 19), ]
n <- c(40, 400, 25, 60, 1200, 80, 35, 150, 90, 300, 45, 70, 500, 30, 110, 55)
eta <- theta[pairs$a] - theta[pairs$b] + rnorm(nrow(pairs), 0, 0.25)
part <- cbind(exp(eta / 2), exp(-eta / 2), 0.6)
counts <- t(sapply(seq_along(n), function(k) rmultinom(1, n[k], part[k, ])))
votes <- data.frame(a = paste0("m", pairs$a), b = paste0("m", pairs$b),
                    wins = counts[, 1], losses = counts[, 2], ties = counts[, 3])
write.csv(votes, "votes.csv", row.names = FALSE, quote = FALSE)

design <- matrix(0, nrow(pairs), m)
design[cbind(seq_along(n), pairs$a)] <- 1
design[cbind(seq_along(n), pairs$b)] <- -1
design <- design[, -1]
tight <- glm.control(epsilon = 1e-14, maxit = 100)

# --- Bradley-Terry of the decisive votes: binomial ---
fit <- glm(cbind(wins, losses) ~ design - 1, binomial, data = votes, control = tight)
rows <- data.frame(figure = paste0("z_", votes$a, "_", votes$b),
                   value = rstandard(fit, type = "pearson"))
rows <- rbind(rows,
  data.frame(figure = "binomial_pearson", value = sum(residuals(fit, "pearson")^2)),
  data.frame(figure = "binomial_deviance", value = deviance(fit)),
  data.frame(figure = "binomial_df", value = df.residual(fit)))

# --- Davidson: a log-linear model of the table of wins, losses and ties ---
long <- data.frame(pair = factor(rep(seq_along(n), 3)), count = c(counts),
                   tie = rep(c(0, 0, 1), each = length(n)))
strength <- rbind(design / 2, -design / 2, 0 * design)
fit <- glm(count ~ pair + tie + strength - 1, poisson, data = long, control = tight)
rows <- rbind(rows,
  data.frame(figure = "davidson_deviance", value = deviance(fit)),
  data.frame(figure = "davidson_df", value = df.residual(fit)))

# --- Extra variance where it has one answer: 5 models in a circle, all ratings equal ---
# Wins of i over i+1 and over i+2 (of 100): every model scores alike, so all expectations are 1/2,
# the errors are equal, and the model is linear. metafor 3.8.1 subtracts the mean of the outcomes
# even from models without an intercept; four pairs are turned round so that this mean is 0.
one <- 60; two <- 56
square <- data.frame(a = rep(1:5, 2), b = c(c(2:5, 1), c(3:5, 1, 2)),
                     y = rep(c(one, two), each = 5) / 100 - 0.5)
lin <- matrix(0, 10, 5)
lin[cbind(1:10, square$a)] <- 1
lin[cbind(1:10, square$b)] <- -1
square$y[2:5] <- -square$y[2:5]
lin[2:5, ] <- -lin[2:5, ]
stopifnot(abs(mean(square$y)) < 1e-15)
circle <- function(method) {
  rma(yi = square$y, vi = rep(0.25 / 100, 10), mods = lin[, -1], intercept = FALSE, method = method,
      control = list(tol = 1e-12, threshold = 1e-12))
}
for (method in c("HE", "DL", "PM", "REML"))
  rows <- rbind(rows, data.frame(figure = paste0("circle_tau2_", method), value = circle(method)$tau2))
ci <- confint(circle("PM"), control = list(tol = 1e-12))$random["tau", ]
rows <- rbind(rows, data.frame(figure = c("circle_tau_low", "circle_tau_high"), value = unname(ci[2:3])))
rows$value <- sprintf("%.15g", rows$value)
write.csv(rows, "expected.csv", row.names = FALSE, quote = FALSE)
cat(R.version.string, "metafor", as.character(packageVersion("metafor")), "\n")
