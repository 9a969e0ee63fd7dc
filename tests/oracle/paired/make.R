# Ratings, tie parameter, advantage of the first answer, and errors of all three models of ties.
# Run in this folder: Rscript make.R
suppressMessages({library(MASS); library(ordinal); library(psychotools); library(sandwich)
                  library(survival)})
votes <- read.csv("votes.csv", stringsAsFactors = FALSE)
names <- sort(unique(c(votes$model_a, votes$model_b)))
x <- sapply(names[-1], function(m) (votes$model_a == m) - (votes$model_b == m))
colnames(x) <- names[-1]
n <- nrow(votes)
out <- NULL
note <- function(method, position, errors, software, name, estimate, v) {
  se <- if (is.null(v)) rep(NA, length(name)) else sqrt(diag(as.matrix(v)))
  out <<- rbind(out, data.frame(method, position, errors, software, parameter = name,
                                estimate = as.vector(estimate), se = as.vector(se)))
}
KINDS <- c("plain", "voter", "weight")
weights_of <- function(kind) if (kind == "weight") votes$weight else rep(1, n)

# 1. Half-win: logistic regression, one row a vote, ties as 0.5, the first model A as reference.
y <- c(a = 1, b = 0, tie = 0.5)[votes$outcome]
for (kind in KINDS) for (position in c(FALSE, TRUE)) {
  z <- if (position) cbind(x, position = 1) else x
  fit <- glm(y ~ z - 1, family = quasibinomial, weights = weights_of(kind),
             control = list(epsilon = 1e-14, maxit = 100))
  v <- if (kind == "voter") vcovCL(fit, cluster = votes$voter, type = "HC0", cadjust = TRUE)
       else sandwich(fit)
  note("half-win", position, kind, "glm", colnames(z), coef(fit), v)
}

# 2. Davidson: each vote is a choice among win, loss and tie (conditional logit), with utilities
# eta / 2, -eta / 2 and c. Robust errors of the partial likelihood, by vote or by voter.
long <- votes[rep(seq_len(n), each = 3), ]
long$vote <- rep(seq_len(n), each = 3)
option <- rep(c("a", "b", "tie"), n)
half <- c(a = 0.5, b = -0.5, tie = 0)[option]
long$chosen <- as.integer(long$outcome == option)
long$tie <- as.integer(option == "tie")
long$w <- long$weight
long$unit <- 1
X <- x[long$vote, ] * half
for (kind in KINDS) for (position in c(FALSE, TRUE)) {
  z <- cbind(X, tie = long$tie)
  if (position) z <- cbind(z, position = half)
  by <- if (kind == "voter") long$voter else long$vote
  w <- if (kind == "weight") long$weight else rep(1, 3 * n)
  fit <- coxph(Surv(rep(1, 3 * n), long$chosen) ~ z + strata(long$vote), cluster = by,
               weights = w, ties = "breslow",
               control = coxph.control(eps = 1e-13, toler.chol = 1e-14, iter.max = 50))
  g <- length(unique(by))
  v <- if (kind == "voter") vcov(fit) * g / (g - 1) else vcov(fit)
  note("davidson", position, kind, "survival", colnames(z), coef(fit), v)
}

# 3. Davidson again: log-linear model of the counts of each ordered pair (Fienberg 1979).
for (position in c(FALSE, TRUE)) {
  pair <- paste(votes$model_a, votes$model_b)[long$vote]
  cells <- aggregate(long$chosen, list(pair = pair, option = option), sum)
  first <- substr(cells$pair, 1, 1); second <- substr(cells$pair, 3, 3)
  h <- c(a = 0.5, b = -0.5, tie = 0)[cells$option]
  z <- sapply(names[-1], function(m) ((first == m) - (second == m)) * h)
  z <- cbind(z, tie = as.integer(cells$option == "tie"))
  if (position) z <- cbind(z, position = h)
  fit <- glm(cells$x ~ z + factor(cells$pair) - 1, family = poisson,
             control = list(epsilon = 1e-14, maxit = 100))
  note("davidson", position, "plain", "loglinear", colnames(z), coef(fit)[seq_len(ncol(z))], NULL)
}

# 4. Davidson without position: psychotools, one comparison in each row.
pairs <- which(upper.tri(diag(length(names))), arr.ind = TRUE)
value <- matrix(NA_integer_, n, nrow(pairs))
for (k in seq_len(n)) {
  i <- match(votes$model_a[k], names); j <- match(votes$model_b[k], names)
  column <- which(pairs[, 1] == min(i, j) & pairs[, 2] == max(i, j))
  sign <- c(a = 1L, b = -1L, tie = 0L)[votes$outcome[k]]
  value[k, column] <- if (i < j) sign else -sign
}
data <- paircomp(value, labels = names, mscale = -1:1)
fit <- btmodel(data, type = "loglin", ref = 1)
got <- coef(fit)
note("davidson", FALSE, "plain", "psychotools", c(names[-1], "tie"),
     c(got[names[-1]], got[length(got)]), NULL)

# 5. Rao and Kupper with position: a cumulative logit of the answers (second wins, tie, first wins).
# Its two thresholds are -c - g and c - g.
answer <- factor(votes$outcome, levels = c("b", "tie", "a"), ordered = TRUE)
form <- as.formula(paste("answer ~", paste(names[-1], collapse = " + ")))
turn <- diag(length(names) + 1)
turn[length(names) + 0:1, length(names) + 0:1] <- rbind(c(-0.5, 0.5), c(-0.5, -0.5))
rownames(turn) <- c(names[-1], "tie", "position")
put <- function(method, position, kind, software, beta, zeta, v) {
  estimate <- drop(turn %*% c(beta, zeta))
  v <- turn %*% v %*% t(turn)
  keep <- if (position) seq_along(estimate) else seq_len(length(estimate) - 1)
  note(method, position, kind, software, names(estimate)[keep], estimate[keep], v[keep, keep])
}
# sandwich() itself takes the sum of the weights for the number of rows.
robust <- function(fit, by) {
  sums <- rowsum(estfun(fit), by)
  vcov(fit) %*% crossprod(sums) %*% vcov(fit)
}
for (kind in KINDS) {
  data <- data.frame(answer, x, w = weights_of(kind))
  fit <- polr(form, data = data, weights = w, Hess = TRUE,
              control = list(reltol = 1e-16, maxit = 2000))
  g <- length(unique(votes$voter))
  v <- if (kind == "voter") robust(fit, votes$voter) * g / (g - 1) else robust(fit, seq_len(n))
  put("rao-kupper", TRUE, kind, "MASS", coef(fit), fit$zeta, v)
  fit <- clm(form, data = data, weights = w, control = clm.control(gradTol = 1e-10))
  note("rao-kupper", TRUE, kind, "ordinal", rownames(turn),
       drop(turn %*% c(fit$beta, fit$alpha)), NULL)
}

# 6. Rao and Kupper without position: every vote in both orders at half its weight makes the
# thresholds symmetric, and the two rows of a vote are one cluster.
both <- rbind(data.frame(answer, x), data.frame(answer = factor(4 - as.integer(answer),
  levels = 1:3, labels = levels(answer), ordered = TRUE), -x))
for (kind in KINDS) {
  both$w <- rep(weights_of(kind), 2) / 2
  fit <- polr(form, data = both, weights = w, Hess = TRUE,
              control = list(reltol = 1e-16, maxit = 2000))
  v <- if (kind == "voter") robust(fit, rep(votes$voter, 2)) * g / (g - 1)
       else robust(fit, rep(seq_len(n), 2))
  put("rao-kupper", FALSE, kind, "MASS", coef(fit), fit$zeta, v)
  fit <- clm(form, data = both, weights = w, threshold = "symmetric2",
             control = clm.control(gradTol = 1e-10))
  note("rao-kupper", FALSE, kind, "ordinal", rownames(turn)[-7], c(fit$beta, fit$alpha), NULL)
}
out[c("estimate", "se")] <- lapply(out[c("estimate", "se")],
                                   function(x) formatC(x, digits = 15, format = "g", width = 1))
write.csv(out, "expected.csv", row.names = FALSE, quote = FALSE)
