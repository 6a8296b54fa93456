/** Which part of an HTTP call failed. */
import type { HttpClientError } from "effect/http/HttpClientError"

/** The names by which metrics and messages have always told what failed: before there was an answer, or reading it. */
export const partOf = ({ response }: HttpClientError): "RequestError" | "ResponseError" => response === undefined ? "RequestError" : "ResponseError"
