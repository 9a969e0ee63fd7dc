# Ratings by BradleyTerry2 and a vote-level logistic regression with sandwich errors.
# Run in this folder: Rscript make.R
suppressMessages({library(BradleyTerry2); library(sandwich)})
votes <- read.csv("votes.csv", stringsAsFactors = FALSE)
names <- sort(unique(c(votes$model_a, votes$model_b)))
y <- c(a = 1, b = 0, tie = 0.5, both_bad = 0.5)[votes$outcome]

# 1. one row per vote, A as reference
x <- sapply(names[-1], function(m) (votes$model_a == m) - (votes$model_b == m))
fit <- glm(y ~ x - 1, family = quasibinomial, control = list(epsilon = 1e-14, maxit = 100))
v <- matrix(0, length(names), length(names))
v[-1, -1] <- sandwich(fit)
to_a <- sqrt(diag(v))
# move from "A is zero" to "the mean is zero"
centre <- diag(length(names)) - 1 / length(names)
theta <- as.vector(centre %*% c(0, coef(fit)))
se <- sqrt(diag(centre %*% v %*% t(centre)))

# 2. the package for Bradley-Terry models, on pairs with ties as half wins
wins <- matrix(0, length(names), length(names), dimnames = list(names, names))
for (k in seq_along(y)) {
  a <- votes$model_a[k]; b <- votes$model_b[k]
  wins[a, b] <- wins[a, b] + y[k]; wins[b, a] <- wins[b, a] + 1 - y[k]
}
pairs <- t(combn(names, 2))
data <- data.frame(a = factor(pairs[, 1], levels = names), b = factor(pairs[, 2], levels = names),
                   won = mapply(function(i, j) wins[i, j], pairs[, 1], pairs[, 2]),
                   lost = mapply(function(i, j) wins[j, i], pairs[, 1], pairs[, 2]))
bt <- suppressWarnings(BTm(cbind(won, lost), a, b, data = data, refcat = "A",
                           control = list(epsilon = 1e-14, maxit = 100)))
ability <- BTabilities(bt)[, "ability"]
out <- data.frame(model = names, theta = theta, se = se, se_to_a = to_a,
                  theta_bt2 = as.vector(ability - mean(ability)))
out[-1] <- lapply(out[-1], function(x) formatC(x, digits = 15, format = "g"))
write.csv(out, "expected.csv", row.names = FALSE, quote = FALSE)
