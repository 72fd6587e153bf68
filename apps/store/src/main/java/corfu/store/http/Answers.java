package corfu.store.http;

import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.BeyondTailException;
import corfu.runtime.CorfuException;
import corfu.runtime.CorruptEntryException;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.NoSpaceException;
import corfu.runtime.TooManyStreamsException;
import corfu.runtime.UnavailableException;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.HistoryForgottenException;
import corfu.store.StoreLimitException;
import corfu.store.ValueForgottenException;

/** What failures are told as. */
final class Answers {

  private Answers() {}

  static Refusal of(RuntimeException failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case Refusal refusal -> refusal;
      case CorfuException corfu -> ofLog(corfu, message);
      case CommandOutcomeUnknownException unknown -> new Refusal(504, "outcome-unknown", message);
      case StoreLimitException limit -> new Refusal(413, "too-large", message);
      case HistoryForgottenException gone -> new Refusal(410, "history-gone", message);
      case ValueForgottenException gone -> new Refusal(410, "history-gone", message);
      case IllegalArgumentException wrong -> Refusal.badRequest(message);
      default -> new Refusal(500, "internal", failure.toString());
    };
  }

  private static Refusal ofLog(CorfuException failure, String message) {
    return switch (failure) {
      case AppendOutcomeUnknownException unknown -> new Refusal(504, "outcome-unknown", message);
      case UnavailableException away -> new Refusal(503, "unavailable", message);
      case NoSpaceException full -> new Refusal(507, "no-space", message);
      case EntryTooLargeException large -> new Refusal(413, "too-large", message);
      case TooManyStreamsException many -> new Refusal(413, "too-large", message);
      case BeyondTailException beyond -> Refusal.badRequest(message);
      case CorruptEntryException corrupt -> new Refusal(500, "corrupt", message);
    };
  }
}
