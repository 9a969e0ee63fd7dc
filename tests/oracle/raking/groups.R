# Score test of common ratings for decisive votes, each vote an independent unit.
# Run in this folder: Rscript groups.R
voters <- read.csv("voters.csv", stringsAsFactors = TRUE)
votes <- read.csv("votes.csv", stringsAsFactors = FALSE)
rows <- merge(votes[votes$outcome != "tie", ], voters, by = "voter", sort = FALSE)
names <- sort(unique(c(rows$model_a, rows$model_b)))
x <- sapply(names[-1], function(m) (rows$model_a == m) - (rows$model_b == m))
y <- as.numeric(rows$outcome == "a")
exact <- list(epsilon = 1e-14, maxit = 100)
common <- glm(y ~ x - 1, family = binomial, control = exact)
test <- function(group) {
  own <- glm(y ~ x:group - 1, family = binomial, control = exact)
  found <- anova(common, own, test = "Rao")
  c(statistic = found$Rao[2], degrees = found$Df[2])
}
out <- as.data.frame(t(sapply(c("age", "sex", "region"), function(k) test(rows[[k]]))))
out <- cbind(attribute = rownames(out), out)
out$statistic <- formatC(out$statistic, digits = 15, format = "g")
write.csv(out, "groups.csv", row.names = FALSE, quote = FALSE)
