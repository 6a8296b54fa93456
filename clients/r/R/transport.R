# Sends requests: the key in a header, parameters in the body, one idempotency key for all attempts of a write.

vt_max_wait <- 60

# An endpoint as the client calls it. A `change` has no idempotency key, so it is repeated only when the service has
# certainly not read it.
vt_endpoint <- function(name, path, kind, key) list(name = name, path = path, kind = kind, key = key)

vt_condition <- function(class, message, fields) {
  structure(class = c(class, "error", "condition"), c(list(message = message, call = NULL), fields))
}

vt_text <- function(value) if (is.character(value) && length(value) == 1) value else NULL

# Takes each field out of its one-element list, one level deep. Failures of execution come without these lists.
vt_unbox <- function(body) {
  if (!is.list(body[["status"]])) return(body)
  lapply(body, function(value) if (is.list(value) && length(value) == 1) value[[1]] else value)
}

vt_parse <- function(text) {
  value <- tryCatch(jsonlite::fromJSON(text, simplifyVector = FALSE), error = function(error) NULL)
  if (is.list(value) && !is.null(names(value))) value else NULL
}

# Sends a body and returns the status, the value of Retry-After, and the text.
vt_perform <- function(url, headers, body, timeout) {
  request <- httr2::request(url)
  request <- httr2::req_method(request, "POST")
  request <- httr2::req_headers(request, !!!headers)
  request <- httr2::req_body_raw(request, body, type = "application/json")
  request <- httr2::req_timeout(request, timeout)
  request <- httr2::req_options(request, followlocation = FALSE)
  request <- httr2::req_error(request, is_error = function(response) FALSE)
  response <- httr2::req_perform(request)
  list(
    status = httr2::resp_status(response),
    retry_after = httr2::resp_header(response, "Retry-After"),
    text = if (length(response$body) == 0) "" else httr2::resp_body_string(response)
  )
}

vt_no_answer <- function(reason, sent = TRUE, ...) {
  c(list(answered = FALSE, reason = reason, sent = sent), list(...))
}

vt_interpret <- function(response) {
  status <- response$status
  after <- suppressWarnings(as.numeric(response$retry_after %||% NA))
  after <- if (is.na(after)) NULL else after
  body <- vt_parse(response$text)
  # A throttled request was not read; the service sends HTML and Retry-After.
  if (status == 429 || (status == 503 && is.null(body) && !is.null(after))) {
    return(vt_no_answer("throttled", FALSE, status = status, retry_after = after))
  }
  if (status >= 500) {
    return(vt_no_answer("unavailable", status = status, retry_after = after, intent_id = vt_text(body$intent_id),
      detail = vt_text(body$message)))
  }
  fields <- if (is.null(body)) list() else vt_unbox(body)
  if (isTRUE(fields$status %in% c("success", "pending", "fail"))) {
    return(list(answered = TRUE, status = status, fields = fields))
  }
  vt_no_answer("unreadable", status = status)
}

`%||%` <- function(value, other) if (is.null(value)) other else value

# Makes one attempt. The message of a failure is left out: it may repeat a header.
vt_attempt <- function(perform, url, headers, body, timeout) {
  tryCatch(
    vt_interpret(perform(url, headers, body, timeout)),
    error = function(error) vt_no_answer("network")
  )
}

vt_may_repeat <- function(endpoint, failed) {
  if (failed$reason == "throttled") return(TRUE)
  if (endpoint$kind == "change") return(FALSE)
  failed$reason == "network" || (failed$reason == "unavailable" && failed$status %in% c(502, 503, 504))
}

# Fills the parameters into the path's segments, and returns the others as the body.
vt_fill <- function(path, request) {
  body <- Filter(Negate(is.null), request)
  segments <- vapply(strsplit(path, "/", fixed = TRUE)[[1]], function(segment) {
    if (!startsWith(segment, ":")) return(segment)
    name <- substring(segment, 2)
    value <- vt_text(body[[name]])
    if (is.null(value) || value %in% c("", ".", "..")) stop(name, " is missing or cannot be used", call. = FALSE)
    body[[name]] <<- NULL
    utils::URLencode(value, reserved = TRUE)
  }, "")
  list(path = paste(segments, collapse = "/"), body = body)
}

vt_json <- function(body) {
  if (length(body) == 0) return("{}")
  as.character(jsonlite::toJSON(body, auto_unbox = TRUE, digits = NA, null = "null"))
}

vt_failure <- function(endpoint, request, result, without_key) {
  fields <- result$fields
  vt_condition(
    "vault_trader_error",
    without_key(vt_text(fields$message) %||% "The service refused the request."),
    list(
      endpoint = endpoint$name,
      code = vt_text(fields$status_code),
      error_type = vt_text(fields$error_type),
      intent_id = vt_text(fields$intent_id),
      tx_hash = vt_text(fields$tx_hash),
      idempotency_key = request$idempotency_key,
      http_status = result$status
    )
  )
}

vt_unanswered <- function(endpoint, request, result, was_sent, without_key) {
  nothing <- endpoint$kind == "read" || isTRUE(request$dryRun) || !was_sent
  following <- if (nothing) {
    "Nothing was changed."
  } else if (is.null(request$idempotency_key)) {
    "It is not known whether the change was made: check before you repeat it."
  } else {
    "It is not known whether it was executed: repeat it with the same idempotency_key."
  }
  sentence <- c(
    network = "The service could not be reached, or did not answer in time",
    throttled = "The service is throttling requests",
    unavailable = "The service cannot answer at the moment",
    unreadable = "The answer is not one of the service's"
  )[[result$reason]]
  known <- c(if (!is.null(result$status)) paste("HTTP", result$status), result$detail)
  cause <- if (length(known) == 0) "" else paste0(" (", without_key(paste(known, collapse = ", ")), ")")
  vt_condition(
    "vault_trader_connection_error",
    paste0(endpoint$name, ": ", sentence, cause, ". ", following),
    list(
      endpoint = endpoint$name,
      reason = result$reason,
      outcome = if (nothing) "nothing" else "unknown",
      http_status = result$status,
      retry_after = result$retry_after,
      intent_id = result$intent_id,
      idempotency_key = request$idempotency_key
    )
  )
}

vt_check <- function(url, api_key) {
  if (!grepl("^https?://[^/?#@]+(/[^?#]*)?$", url)) {
    stop("url must be the service's URL without credentials, such as https://host", call. = FALSE)
  }
  if (!is.null(api_key) && !grepl("^[!-~]{1,256}$", api_key, perl = TRUE)) {
    stop("api_key must be the UUID that createGasWallet or getNewApiKey returned", call. = FALSE)
  }
}

# Returns the function that sends requests; the API key stays in its environment.
vt_sender <- function(url, api_key, timeout, retries, perform, sleep) {
  vt_check(url, api_key)
  base <- sub("/+$", "", url)
  without_key <- function(text) if (is.null(api_key)) text else gsub(api_key, "[API key]", text, fixed = TRUE)

  headers_for <- function(endpoint, request) {
    if (endpoint$key == "required" && is.null(api_key)) {
      stop(endpoint$name, " needs an API key: vault_trader(url, api_key)", call. = FALSE)
    }
    # Where several proofs are accepted, a signature or a private key is meant to be the one that counts.
    has_other <- endpoint$key == "optional" && !is.null(request$signature %||% request$privateKey)
    sends_key <- endpoint$key != "none" && !has_other && !is.null(api_key)
    c(list(Accept = "application/json"), if (sends_key) list(Authorization = paste("Bearer", api_key)))
  }

  function(endpoint, request, options = list()) {
    filled <- vt_fill(endpoint$path, request)
    headers <- headers_for(endpoint, request)
    last <- options$retries %||% retries
    was_sent <- FALSE
    attempt <- 0
    repeat {
      result <- vt_attempt(perform, paste0(base, filled$path), headers, vt_json(filled$body), options$timeout %||% timeout)
      if (result$answered) {
        if (result$fields$status == "fail") stop(vt_failure(endpoint, request, result, without_key))
        return(result$fields)
      }
      was_sent <- was_sent || result$sent
      pause <- result$retry_after %||% min(8, 0.25 * 2^attempt)
      if (attempt >= last || pause > vt_max_wait || !vt_may_repeat(endpoint, result)) {
        stop(vt_unanswered(endpoint, request, result, was_sent, without_key))
      }
      sleep(pause)
      attempt <- attempt + 1
    }
  }
}
