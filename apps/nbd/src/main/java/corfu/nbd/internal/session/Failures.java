package corfu.nbd.internal.session;

import corfu.nbd.BlockDeviceException;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdError;
import corfu.nbd.internal.protocol.NbdNumbers;
import java.util.concurrent.CompletionException;

/** The errors that clients see for failures of devices. */
final class Failures {

  private Failures() {}

  /** Returns the failure without what futures wrap around it. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Returns whether a device may fail like this. */
  static boolean isExpected(Throwable failure) {
    return cause(failure) instanceof BlockDeviceException;
  }

  /** Returns the error of a request. */
  static NbdError ofRequest(Throwable failure, NbdCommand command, boolean fastOnly) {
    if (!(cause(failure) instanceof BlockDeviceException told)) {
      return NbdError.EIO;
    }
    return switch (told.reason()) {
      case NOT_PERMITTED, READ_ONLY -> NbdError.EPERM;
      case FENCED, SHUTTING_DOWN -> NbdError.ESHUTDOWN;
      case IO_ERROR -> NbdError.EIO;
      case NO_SPACE -> NbdError.ENOSPC;
      case NO_MEMORY -> NbdError.ENOMEM;
      case OUT_OF_RANGE -> beyondEnd(command);
      // The protocol reserves ENOTSUP for this one case.
      case NOT_SUPPORTED -> fastOnly ? NbdError.ENOTSUP : NbdError.EINVAL;
      case UNKNOWN_EXPORT -> NbdError.EINVAL;
    };
  }

  /** Returns the error of a range behind the end of the device. */
  static NbdError beyondEnd(NbdCommand command) {
    return command == NbdCommand.WRITE || command == NbdCommand.WRITE_ZEROES
        ? NbdError.ENOSPC
        : NbdError.EINVAL;
  }

  /** Returns the error of an option. */
  static int ofOption(Throwable failure) {
    if (!(cause(failure) instanceof BlockDeviceException told)) {
      return NbdNumbers.REP_ERR_UNKNOWN;
    }
    return switch (told.reason()) {
      case NOT_PERMITTED, READ_ONLY, FENCED, NOT_SUPPORTED -> NbdNumbers.REP_ERR_POLICY;
      case SHUTTING_DOWN -> NbdNumbers.REP_ERR_SHUTDOWN;
      case UNKNOWN_EXPORT, IO_ERROR, NO_SPACE, NO_MEMORY, OUT_OF_RANGE ->
          NbdNumbers.REP_ERR_UNKNOWN;
    };
  }

  /** Returns a text for the client. */
  static String message(Throwable failure) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    return isExpected(failure) && message != null
        ? message
        : "the server failed; its log tells why";
  }
}
