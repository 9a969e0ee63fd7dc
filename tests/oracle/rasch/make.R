# Rasch model with random items, and random slopes, by lme4; conditional likelihood by eRm.
suppressMessages({library(lme4); library(eRm)})
set.seed(20261201)
logistic <- function(x) 1 / (1 + exp(-x))

# 1. Rasch: 300 items, 8 models, a tenth missing.
n <- 300; m <- 8
theta <- seq(-1.4, 1.4, length.out = m); b <- rnorm(n, 0.3, 1.3)
y <- matrix(rbinom(n * m, 1, logistic(outer(-b, theta, "+"))), n, m)
complete <- y
y[runif(n * m) < 0.1] <- NA
write.csv(data.frame(y), "scores.csv", row.names = FALSE, na = "")
long <- data.frame(y = c(y), item = factor(rep(1:n, m)), model = factor(rep(1:m, each = n)))
fit <- glmer(y ~ 0 + model + (1 | item), data = long, family = binomial, nAGQ = 25)
e <- fixef(fit)
contrast <- diag(m) - 1 / m
se <- sqrt(diag(contrast %*% as.matrix(vcov(fit)) %*% contrast))
rows <- rbind(
  data.frame(name = paste0("ability_", 1:m), value = e - mean(e)),
  data.frame(name = paste0("se_", 1:m), value = se),
  data.frame(name = "sd", value = sqrt(unlist(VarCorr(fit)))),
  data.frame(name = "mean", value = mean(e)),
  data.frame(name = "loglik", value = as.numeric(logLik(fit))))

# 2. The same without gaps by conditional likelihood: models as eRm's items.
write.csv(data.frame(complete), "complete.csv", row.names = FALSE)
cml <- RM(complete, se = TRUE, sum0 = TRUE)
rows <- rbind(rows,
  data.frame(name = paste0("cml_ability_", 1:m), value = coef(cml)),
  data.frame(name = paste0("cml_se_", 1:m), value = cml$se.beta))

# 3. Slopes: 500 items, 30 models whose abilities are known.
n <- 500; m <- 30
theta <- seq(-1.6, 1.6, length.out = m); d <- rnorm(n, 0, 1.2); a <- 1 + rnorm(n, 0, 0.5)
y <- matrix(rbinom(n * m, 1, logistic(outer(a, theta) - d)), n, m)
write.csv(data.frame(y), "slopes.csv", row.names = FALSE)
long <- data.frame(y = c(y), item = factor(rep(1:n, m)), theta = rep(theta, each = n))
both <- glmer(y ~ theta + (1 + theta | item), data = long, family = binomial)
one <- glmer(y ~ theta + (1 | item), data = long, family = binomial)
sds <- attr(VarCorr(both)$item, "stddev")
rows <- rbind(rows,
  data.frame(name = "slope_mean", value = fixef(both)["theta"]),
  data.frame(name = "slope_sd", value = sds["theta"]),
  data.frame(name = "slope_gain", value = as.numeric(logLik(both) - logLik(one))),
  data.frame(name = paste0("slope_", 1:10), value = coef(both)$item$theta[1:10]))
write.csv(rows, "expected.csv", row.names = FALSE)
cat(R.version.string, as.character(packageVersion("lme4")), as.character(packageVersion("eRm")), "\n")
