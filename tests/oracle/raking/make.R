# Weights by survey's rake and postStratify, and boards by svyglm with errors clustered by voter.
# Run in this folder: Rscript make.R
suppressMessages(library(survey))
voters <- read.csv("voters.csv", stringsAsFactors = TRUE)
votes <- read.csv("votes.csv", stringsAsFactors = FALSE)
n <- nrow(voters)
age <- data.frame(age = levels(voters$age), Freq = n * c(0.20, 0.25, 0.33, 0.22))
sex <- data.frame(sex = levels(voters$sex), Freq = n * c(0.48, 0.52))
region <- data.frame(region = levels(voters$region), Freq = n * c(0.30, 0.35, 0.35))
joint <- expand.grid(age = levels(voters$age), sex = levels(voters$sex))
joint$Freq <- n * c(0.10, 0.12, 0.16, 0.10, 0.10, 0.13, 0.17, 0.12)
exact <- list(maxit = 10000, epsilon = 1e-12, verbose = FALSE)

of <- function(design) weights(design) / mean(weights(design))
one <- svydesign(ids = ~voter, weights = ~1, data = voters)
raked <- rake(one, list(~age, ~sex, ~region), list(age, sex, region), control = exact)
cells <- postStratify(one, ~ age + sex, joint)
both <- rake(one, list(~ age + sex, ~region), list(joint, region), control = exact)
# raking ratio with weights of at most 3 times the mean
x <- ~ age + sex + region
total <- c(n, n * c(0.25, 0.33, 0.22), n * 0.52, n * c(0.35, 0.35))
names(total) <- colnames(model.matrix(x, voters))
bounded <- function(cap) {
  # Minimise sum(w log w - w) under the margins and w <= cap. The dual has one multiplier for each
  # total; damped Newton steps from the unbounded solution, independent of any raking.
  m <- model.matrix(x, voters)
  lambda <- rep(0, ncol(m))
  for (limit in c(1e6, seq(cap + 1, cap, by = -0.1))) {  # let the cap down slowly
    dual <- function(l) { e <- drop(m %*% l)
      sum(ifelse(e < log(limit), exp(e), limit * (1 + e - log(limit)))) - sum(total * l) }
    for (k in 1:500) {
      w <- pmin(limit, exp(drop(m %*% lambda)))
      curve <- crossprod(m, m * w * (w < limit))
      step <- solve(curve + diag(1e-9 * n, ncol(m)), total - colSums(m * w))
      size <- 1
      while (dual(lambda + size * step) > dual(lambda) && size > 1e-10) size <- size / 2
      lambda <- lambda + size * step
      if (max(abs(size * step)) < 1e-15) break
    }
  }
  w <- pmin(cap, exp(drop(m %*% lambda)))
  stopifnot(max(abs(colSums(m * w) - total)) < 1e-9)
  w
}
out <- data.frame(voter = voters$voter, raked = of(raked), cells = of(cells), both = of(both),
                  bounded = bounded(3))

# boards: one row per vote; a reference model, then moved to mean zero
rows <- merge(votes, voters, by = "voter", sort = FALSE)
rows$cast <- ave(rep(1, nrow(rows)), rows$voter, FUN = sum)
names <- sort(unique(c(rows$model_a, rows$model_b)))
for (k in names) rows[[k]] <- (rows$model_a == k) - (rows$model_b == k)
rows$y <- c(a = 1, b = 0, tie = 0.5)[rows$outcome]
centre <- diag(length(names)) - 1 / length(names)
board <- function(design) {
  formula <- as.formula(paste("y ~", paste(names[-1], collapse = " + "), "- 1"))
  fit <- svyglm(formula, design = design, family = quasibinomial(),
                control = list(epsilon = 1e-14, maxit = 100))
  v <- matrix(0, length(names), length(names)); v[-1, -1] <- vcov(fit)
  data.frame(theta = as.vector(centre %*% c(0, coef(fit))),
             se = sqrt(diag(centre %*% v %*% t(centre))))
}
# The weights of the voters, with each vote counting them (vote) or sharing them out (voice). The
# margins are totals of voters, so for the calibrated errors a vote's design weight is 1/cast.
fixed <- function(w) svydesign(ids = ~voter, weights = w, data = rows)
at <- match(rows$voter, out$voter)
shared <- svydesign(ids = ~voter, weights = ~ I(1 / cast), data = rows)
boards <- list(
  cast = board(fixed(rep(1, nrow(rows)))),
  voice = board(fixed(1 / rows$cast)),
  raked_vote_fixed = board(fixed(out$raked[at])),
  raked_voice_fixed = board(fixed(out$raked[at] / rows$cast)),
  raked_voice = board(rake(shared, list(~age, ~sex, ~region), list(age, sex, region), control = exact)),
  cells_voice = board(postStratify(shared, ~ age + sex, joint)),
  both_voice = board(rake(shared, list(~ age + sex, ~region), list(joint, region), control = exact)))
long <- do.call(rbind, lapply(names(boards), function(b) cbind(board = b, model = names, boards[[b]])))

digits <- function(d, skip) { d[-skip] <- lapply(d[-skip], formatC, digits = 15, format = "g"); d }
write.csv(digits(out, 1), "weights.csv", row.names = FALSE, quote = FALSE)
write.csv(digits(long, 1:2), "boards.csv", row.names = FALSE, quote = FALSE)
