# The client against fake answers, and against a running service where VAULT_TRADER_URL names one.
library(vaulttrader)

key <- "01234567-89ab-4def-8123-456789abcdef"
sent <- list()
waits <- c()
ran <- 0

check <- function(name, code) {
  force(code)
  ran <<- ran + 1
}

# A client that gets these replies, one each; a NULL is a lost connection.
fake <- function(...) {
  replies <- list(...)
  sent <<- list()
  waits <<- c()
  perform <- function(url, headers, body, timeout) {
    sent[[length(sent) + 1]] <<- list(url = url, headers = headers, body = jsonlite::fromJSON(body, simplifyVector = FALSE))
    reply <- replies[[1]]
    replies <<- replies[-1]
    if (is.null(reply)) stop("invalid header: Bearer ", key)
    reply
  }
  vault_trader("https://service.example", key, perform = perform, sleep = function(pause) waits <<- c(waits, pause))
}
reply <- function(status, fields, retry_after = NULL) {
  text <- as.character(jsonlite::toJSON(fields, auto_unbox = TRUE, null = "null"))
  list(status = status, retry_after = retry_after, text = text)
}
boxed <- function(...) reply(200, lapply(list(...), list))
throttled <- function(after) list(status = 503, retry_after = after, text = "<html>503</html>")
trade <- function(client, ...) {
  client$vaultTrade(network = "base", pool = "0xpool", from = "USDC", to = "DAI", amount = "1", ...)
}
caught <- function(code) tryCatch({ code; NULL }, error = identity)
keys <- function() vapply(sent, function(each) each$body$idempotency_key %||% "", "")
`%||%` <- function(value, other) if (is.null(value)) other else value

check("a request has its parameters in the body, the key in a header, and is unboxed by one level", {
  client <- fake(boxed(status = "success", pools = list("only")))
  stopifnot(identical(client$getGasWalletPools(network = "base"), list(pools = list("only"))))
  stopifnot(sent[[1]]$url == "https://service.example/getGasWalletPools")
  stopifnot(sent[[1]]$headers$Authorization == paste("Bearer", key), identical(sent[[1]]$body, list(network = "base")))
})
check("path segments are filled, and no key is sent where none is taken", {
  client <- fake(boxed(status = "success", fee_usd = 0.1))
  client$calculateFee(action = "lenderAV3/lend", network = "base")
  stopifnot(sent[[1]]$url == "https://service.example/calculate-fee/lenderAV3%2Flend/base")
  stopifnot(is.null(sent[[1]]$headers$Authorization))
})
check("all attempts of a write have one idempotency key, which set.seed does not repeat", {
  set.seed(1)
  client <- fake(NULL, reply(503, list(status = "unknown")), throttled("7"), boxed(status = "success", message = "Sold."))
  stopifnot(outcome(trade(client))$message == "Sold.", length(unique(keys())) == 1, 7 %in% waits)
  first <- keys()[[1]]
  set.seed(1)
  trade(fake(boxed(status = "success")))
  stopifnot(grepl("^[0-9a-f]{32}$", first), keys()[[1]] != first)
})
check("a change that may have been made is not repeated", {
  client <- fake(NULL)
  error <- caught(client$createGasWallet())
  stopifnot(inherits(error, "vault_trader_connection_error"), error$outcome == "unknown", length(sent) == 1)
})
check("failures have their code, and no text has the key", {
  failure <- list(status = "fail", status_code = "2001", error_type = "insufficient_gas", message = paste("No", key), intent_id = "i")
  client <- fake(reply(400, failure), NULL)
  failed <- caught(trade(client))
  stopifnot(inherits(failed, "vault_trader_error"), failed$code == "2001", failed$intent_id == "i")
  lost <- caught(trade(client, options = list(retries = 0)))
  stopifnot(lost$outcome == "unknown", lost$idempotency_key == keys()[[2]])
  texts <- c(capture.output(print(client), str(client), failed, lost, str(failed), str(lost)), format(client))
  stopifnot(!any(grepl(key, texts, fixed = TRUE)))
})
check("an outcome is read from the intent and then from the endpoint", {
  pending <- boxed(status = "pending", intent_id = "intent-1", tx_hash = NULL, message = "Accepted.")
  intent <- function(status) boxed(status = "success", intent = list(status = status, message = "Sent.", tx_hash = NULL))
  client <- fake(pending, intent("pending"), NULL, intent("success"), boxed(status = "success", message = "Sold."))
  write <- trade(client)
  stopifnot(write$status == "pending", outcome(write)$message == "Sold.", length(sent) == 5)
  stopifnot(identical(sent[[5]], sent[[1]]))
  error <- caught(outcome(trade(fake(pending, intent("pending"))), timeout = 0.4))
  stopifnot(inherits(error, "outcome_pending"), error$intent_id == "intent-1")
})

url <- Sys.getenv("VAULT_TRADER_URL")
if (url != "") {
  pool <- Sys.getenv("VAULT_TRADER_POOL")
  client <- vault_trader(url, Sys.getenv("VAULT_TRADER_API_KEY"))
  request <- list(network = "base", pool = pool, from = "USDC", to = "DAI", amount = "1")
  check("a trade of a running service", {
    stopifnot(is.character(do.call(client$vaultTrade, c(request, dryRun = TRUE))$plan$venue))
    result <- outcome(do.call(client$vaultTrade, request))
    stopifnot(result$sold$amount == "1", client$follow_intent(result$intent_id)$tx_hash == result$tx_hash)
    stopifnot(caught(do.call(client$vaultTrade, utils::modifyList(request, list(amount = "-1"))))$code == "1009")
  })
  check("a trade whose first answer is lost moves funds once", {
    attempts <- 0
    perform <- function(...) {
      attempts <<- attempts + 1
      answer <- vaulttrader:::vt_perform(...)
      if (attempts == 1) stop("the connection was lost")
      answer
    }
    losing <- vault_trader(url, Sys.getenv("VAULT_TRADER_API_KEY"), perform = perform)
    stopifnot(outcome(do.call(losing$vaultTrade, request))$sold$amount == "1", attempts == 2)
  })
}
cat("passed", ran, "\n")
