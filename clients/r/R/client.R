# The client, the handle of a write, and the wait for its outcome.

vt_get_intent <- vt_endpoint("getIntent", "/getIntent", "read", "required")

vt_without_status <- function(fields) fields[names(fields) != "status"]

# Creates a client of one service for one gas wallet. `client$vaultTrade(…)` and so on call its endpoints. `timeout` is
# in seconds for each attempt, `retries` counts the attempts after the first one. `perform` and `sleep` are for tests.
vault_trader <- function(url, api_key = NULL, timeout = 30, retries = 3, perform = vt_perform, sleep = Sys.sleep) {
  send <- vt_sender(url, api_key, timeout, retries, perform, sleep)
  rm(api_key)
  call <- function(endpoint, request, options) {
    if (endpoint$kind != "write" || isTRUE(request$dryRun)) return(vt_without_status(send(endpoint, request, options)))
    # Not R's own random numbers: set.seed would repeat them.
    request$idempotency_key <- request$idempotency_key %||% as.character(paste(openssl::rand_bytes(16), collapse = ""))
    sent_at <- Sys.time()
    vt_write(endpoint, request, send, sleep, sent_at, send(endpoint, request, options))
  }
  follow_intent <- function(intent_id, timeout = 120) vt_follow(send, sleep, intent_id, timeout)
  structure(list2env(c(vt_methods(call), list(follow_intent = follow_intent, url = url))), class = "vault_trader")
}

format.vault_trader <- function(x, ...) paste0("<vault_trader ", x$url, ">")

print.vault_trader <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

vt_write <- function(endpoint, request, send, sleep, sent_at, answer) {
  write <- new.env()
  write$endpoint <- endpoint$name
  write$idempotency_key <- request$idempotency_key
  write$call <- list(endpoint = endpoint, request = request, send = send, sleep = sleep, sent_at = sent_at)
  class(write) <- "vault_trader_write"
  vt_update(write, answer)
}

# Stores an answer in the handle: its status, intent_id, tx_hash and message.
vt_update <- function(write, answer) {
  write$answer <- answer
  write$status <- answer$status
  write$intent_id <- vt_text(answer$intent_id)
  write$tx_hash <- vt_text(answer$tx_hash)
  write$message <- vt_text(answer$message) %||% ""
  write
}

print.vault_trader_write <- function(x, ...) {
  cat("<write ", x$endpoint, ", ", x$status, ", intent ", x$intent_id %||% "none", ">\n", sep = "")
  invisible(x)
}

# Waits for the outcome of a write, in seconds, and returns the fields of its success.
outcome <- function(write, timeout = 120) UseMethod("outcome")

vt_pending <- function(endpoint, intent_id, idempotency_key, message) {
  fields <- list(endpoint = endpoint, intent_id = intent_id, idempotency_key = idempotency_key)
  vt_condition("outcome_pending", paste0(endpoint, " is still pending: ", message), fields)
}

# Returns a function that waits a while, longer each time; it returns FALSE when the time is over.
vt_waiting <- function(timeout, sleep) {
  left <- timeout
  pause <- 0.5
  function() {
    if (left <= 0) return(FALSE)
    started <- Sys.time()
    sleep(min(left, pause))
    left <<- left - max(min(left, pause), as.numeric(difftime(Sys.time(), started, units = "secs")))
    pause <<- min(5, pause * 1.5)
    TRUE
  }
}

# Runs a read; returns NULL while the service cannot be reached.
vt_try <- function(read) tryCatch(read, vault_trader_connection_error = function(error) NULL)

outcome.vault_trader_write <- function(write, timeout = 120) {
  waiting <- vt_waiting(timeout, write$call$sleep)
  while (write$status == "pending") {
    if (!waiting()) stop(vt_pending(write$endpoint, write$intent_id, write$idempotency_key, write$message))
    vt_refresh(write)
  }
  vt_without_status(write$answer)
}

# Reads the intent. Once it has ended, or while there is none, repeats the request under its key: the service then
# answers from its ledger, with the endpoint's own fields, and knows if further intents follow.
vt_refresh <- function(write) {
  call <- write$call
  once <- list(retries = 0)
  if (!is.null(write$intent_id)) {
    read <- vt_try(call$send(vt_get_intent, list(intent_id = write$intent_id), once))
    if (is.null(read)) return(invisible())
    vt_update(write, utils::modifyList(write$answer, read$intent[c("message", "tx_hash")]))
    if (read$intent$status == "pending") return(invisible())
  }
  # The service forgets keys after seven days: a later repeat could execute again.
  if (difftime(Sys.time(), call$sent_at, units = "days") > 6) return(invisible())
  answer <- vt_try(call$send(call$endpoint, call$request, once))
  if (!is.null(answer)) vt_update(write, answer)
  invisible()
}

vt_follow <- function(send, sleep, intent_id, timeout) {
  waiting <- vt_waiting(timeout, sleep)
  last <- list(endpoint = "getIntent", message = "its state was not read")
  repeat {
    read <- vt_try(send(vt_get_intent, list(intent_id = intent_id), list(retries = 0)))
    if (!is.null(read)) {
      last <- read$intent
      if (last$status == "success") return(last[c("intent_id", "endpoint", "tx_hash", "message", "result")])
      if (last$status == "fail") {
        fields <- list(status_code = last$failure$status_code, error_type = last$failure$error_type,
          message = last$message, intent_id = intent_id, tx_hash = last$tx_hash)
        stop(vt_failure(list(name = last$endpoint), list(), list(fields = fields, status = 200), identity))
      }
    }
    if (!waiting()) stop(vt_pending(last$endpoint, intent_id, NULL, last$message))
  }
}
