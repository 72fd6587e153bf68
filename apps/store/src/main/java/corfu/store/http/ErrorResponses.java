package corfu.store.http;

import corfu.runtime.AccessDeniedException;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.BeyondTailException;
import corfu.runtime.CorfuException;
import corfu.runtime.CorruptEntryException;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.NoSpaceException;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.TooManyStreamsException;
import corfu.runtime.UnavailableException;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.HistoryForgottenException;
import corfu.store.StoreLimitException;
import corfu.store.ValueForgottenException;

/** Maps failures to HTTP errors. */
final class ErrorResponses {

  private ErrorResponses() {}

  static HttpErrorException of(RuntimeException failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case HttpErrorException refusal -> refusal;
      case CorfuException corfu -> ofLog(corfu, message);
      case CommandOutcomeUnknownException unknown ->
          new HttpErrorException(504, "outcome-unknown", message);
      case StoreLimitException limit -> new HttpErrorException(413, "too-large", message);
      case HistoryForgottenException gone -> new HttpErrorException(410, "history-gone", message);
      case ValueForgottenException gone -> new HttpErrorException(410, "history-gone", message);
      case IllegalArgumentException wrong -> HttpErrorException.badRequest(message);
      default -> new HttpErrorException(500, "internal", failure.toString());
    };
  }

  private static HttpErrorException ofLog(CorfuException failure, String message) {
    return switch (failure) {
      case AccessDeniedException denied -> new HttpErrorException(403, "denied", message);
      case QuotaExceededException over -> HttpErrorException.overQuota(message, over.waitTime());
      case AppendOutcomeUnknownException unknown ->
          new HttpErrorException(504, "outcome-unknown", message);
      case UnavailableException away -> new HttpErrorException(503, "unavailable", message);
      case NoSpaceException full -> new HttpErrorException(507, "no-space", message);
      case EntryTooLargeException large -> new HttpErrorException(413, "too-large", message);
      case TooManyStreamsException many -> new HttpErrorException(413, "too-large", message);
      case BeyondTailException beyond -> HttpErrorException.badRequest(message);
      case CorruptEntryException corrupt -> new HttpErrorException(500, "corrupt", message);
    };
  }
}
