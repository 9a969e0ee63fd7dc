# Error of the lead with votes clustered by item and by voter.
# Run in this folder: Rscript cluster.R
suppressMessages(library(sandwich))
votes <- read.csv("clustered.csv", stringsAsFactors = FALSE)
names <- sort(unique(c(votes$model_a, votes$model_b)))
y <- c(a = 1, b = 0, tie = 0.5)[votes$outcome]

# one row per vote, A as reference
x <- sapply(names[-1], function(m) (votes$model_a == m) - (votes$model_b == m))
fit <- glm(y ~ x - 1, family = quasibinomial, control = list(epsilon = 1e-14, maxit = 100))
theta <- setNames(c(0, coef(fit)), names)
first <- names(sort(theta, decreasing = TRUE))[1:2]
contrast <- (names == first[1]) - (names == first[2])
error <- function(v) sqrt(drop(contrast[-1] %*% v %*% contrast[-1]))
rows <- lapply(c("item", "voter"), function(column) {
  # HC0 scores summed by cluster, times G / (G - 1)
  v <- vcovCL(fit, cluster = votes[[column]], type = "HC0", cadjust = TRUE)
  data.frame(column = column, leader = first[1], runner_up = first[2],
             n_clusters = length(unique(votes[[column]])),
             difference = theta[[first[1]]] - theta[[first[2]]],
             se = error(v), se_plain = error(sandwich(fit)))
})
out <- do.call(rbind, rows)
numbers <- c("difference", "se", "se_plain")
out[numbers] <- lapply(out[numbers], function(x) formatC(x, digits = 15, format = "g"))
write.csv(out, "expected_clustered.csv", row.names = FALSE, quote = FALSE)
