# CR2 errors and Satterthwaite degrees of freedom of means: Rscript make.R
# Writes scores.csv (items) and expected.csv (figures of clubSandwich).
suppressPackageStartupMessages(library(clubSandwich))
set.seed(20240607)
sizes <- list(
  uneven = c(2, 3, 4, 5, 6, 8, 10, 20, 50, 100),
  one_large = c(rep(5, 9), 60),
  even = rep(6, 8),
  two = c(7, 13),
  passages = sample(1:9, 60, replace = TRUE)
)
items <- do.call(rbind, lapply(names(sizes), function(name) {
  cluster <- rep(seq_along(sizes[[name]]), sizes[[name]])
  shared <- rnorm(length(sizes[[name]]))[cluster]
  a <- as.integer(0.4 + 0.8 * shared + rnorm(length(cluster)) > 0)
  b <- as.integer(0.2 + 0.8 * shared + rnorm(length(cluster)) > 0)
  data.frame(case = name, cluster = cluster, a = a, b = b)
}))
one <- function(name, measure, y, cluster) {
  fit <- lm(y ~ 1)
  found <- coef_test(fit, vcov = "CR2", cluster = cluster, test = "Satterthwaite")
  limits <- conf_int(fit, vcov = "CR2", cluster = cluster, test = "Satterthwaite", level = 0.95)
  data.frame(case = name, measure = measure, mean = found$beta, se = found$SE,
             df = limits$df, low = limits$CI_L, high = limits$CI_U, p = found$p_Satt)
}
rows <- do.call(rbind, lapply(names(sizes), function(name) {
  part <- items[items$case == name, ]
  rbind(one(name, "a", part$a, part$cluster), one(name, "b", part$b, part$cluster),
        one(name, "a-b", part$a - part$b, part$cluster))
}))
write.csv(items, "scores.csv", row.names = FALSE, quote = FALSE)
rows[-(1:2)] <- lapply(rows[-(1:2)], function(x) sprintf("%.15g", x))
write.csv(rows, "expected.csv", row.names = FALSE, quote = FALSE)
cat(R.version.string, "clubSandwich", as.character(packageVersion("clubSandwich")), "\n")
