package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_DF;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_PAYLOAD_LEN;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_BLOCK_STATUS_PAYLOAD;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_READ_ONLY;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_RESIZE;
import static corfu.nbd.internal.protocol.NbdNumbers.MAX_PAYLOAD_BYTES;

import corfu.nbd.internal.protocol.HeaderStyle;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdError;
import corfu.nbd.internal.protocol.NbdRequest;
import corfu.nbd.internal.protocol.NbdViolationException;
import java.util.Optional;

/**
 * Decides which requests reach a device, from their headers alone.
 *
 * @param style the headers agreed on
 * @param flags the transmission flags that the client has received
 */
record RequestCheck(HeaderStyle style, int flags) {

  /** A write of this size without extended headers is read over; a larger one ends the session. */
  private static final long MAX_SKIPPED_BYTES = 2L * MAX_PAYLOAD_BYTES;

  /**
   * Why a request is not served.
   *
   * @param error the error for the client
   * @param message a text for people
   */
  record Refusal(NbdError error, String message) {}

  /**
   * Returns the number of bytes that follow the header.
   *
   * @throws NbdViolationException if they are too many to be read over
   */
  int payloadBytes(NbdRequest request) {
    boolean hasPayload =
        style == HeaderStyle.EXTENDED
            ? request.has(CMD_FLAG_PAYLOAD_LEN)
            : request.type() == NbdCommand.WRITE.code();
    if (!hasPayload) {
      return 0;
    }
    long most = style == HeaderStyle.EXTENDED ? MAX_PAYLOAD_BYTES : MAX_SKIPPED_BYTES;
    if (Long.compareUnsigned(request.length(), most) > 0) {
      throw new NbdViolationException(
          "%s with a payload of %s bytes; the bound is %d"
              .formatted(
                  request.name(), Long.toUnsignedString(request.length()), MAX_PAYLOAD_BYTES));
    }
    return (int) request.length();
  }

  /**
   * Returns why a request is not served, or nothing if it is. The range of a BLOCK_STATUS with a
   * payload is in the payload.
   *
   * @param sizeBytes the current size of the export
   * @param largestBytes the largest size that the export has had in this session
   */
  Optional<Refusal> refusal(NbdRequest request, long sizeBytes, long largestBytes) {
    if (!NbdCommand.exists(request.type())) {
      return invalid("this server knows no " + request.name());
    }
    NbdCommand command = NbdCommand.of(request.type());
    Optional<Refusal> wrongFlags = wrongFlags(request, command);
    if (wrongFlags.isPresent()) {
      return wrongFlags;
    }
    if (command.isChange() && (flags & FLAG_READ_ONLY) != 0) {
      return refused(NbdError.EPERM, "the export is read-only");
    }
    if (command == NbdCommand.RESIZE && (flags & FLAG_SEND_RESIZE) == 0) {
      return refused(NbdError.EPERM, "clients cannot resize this export");
    }
    if (request.has(CMD_FLAG_PAYLOAD_LEN) && command == NbdCommand.BLOCK_STATUS) {
      return Optional.empty();
    }
    return command.hasRange()
        ? wrongRange(request, command, sizeBytes, largestBytes)
        : Optional.empty();
  }

  private Optional<Refusal> wrongFlags(NbdRequest request, NbdCommand command) {
    int allowed = command.flags();
    if (!style.hasChunks()) {
      allowed &= ~CMD_FLAG_DF;
    }
    boolean mayHavePayload = false;
    boolean mustHavePayload = false;
    if (style == HeaderStyle.EXTENDED) {
      mustHavePayload = command == NbdCommand.WRITE;
      mayHavePayload =
          mustHavePayload
              || (command == NbdCommand.BLOCK_STATUS && (flags & FLAG_BLOCK_STATUS_PAYLOAD) != 0);
    }
    if (mayHavePayload) {
      allowed |= CMD_FLAG_PAYLOAD_LEN;
    }
    if ((request.flags() & ~allowed) != 0) {
      return invalid(
          "%s with flags 0x%x, of which 0x%x are allowed"
              .formatted(command, request.flags(), allowed));
    }
    return mustHavePayload && !request.has(CMD_FLAG_PAYLOAD_LEN)
        ? invalid("WRITE without the flag PAYLOAD_LEN")
        : Optional.empty();
  }

  Optional<Refusal> wrongRange(
      NbdRequest request, NbdCommand command, long sizeBytes, long largestBytes) {
    long offset = request.offset();
    long length = request.length();
    if (isBeyond(offset, length, sizeBytes)) {
      // The resize extension wants ENOSPC where the device was before it has shrunk.
      NbdError error =
          isBeyond(offset, length, largestBytes) ? Failures.beyondEnd(command) : NbdError.ENOSPC;
      return refused(
          error,
          "%s of %s bytes at %s is beyond the end, %d"
              .formatted(
                  command,
                  Long.toUnsignedString(length),
                  Long.toUnsignedString(offset),
                  sizeBytes));
    }
    if (command == NbdCommand.READ && length > MAX_PAYLOAD_BYTES) {
      NbdError error = style.hasChunks() ? NbdError.EOVERFLOW : NbdError.EINVAL;
      return refused(error, "a READ has at most %d bytes".formatted(MAX_PAYLOAD_BYTES));
    }
    if (command == NbdCommand.WRITE && length > MAX_PAYLOAD_BYTES) {
      return invalid("a WRITE has at most %d bytes".formatted(MAX_PAYLOAD_BYTES));
    }
    if (command == NbdCommand.BLOCK_STATUS && length == 0) {
      return invalid("BLOCK_STATUS of no bytes");
    }
    return Optional.empty();
  }

  private static boolean isBeyond(long offset, long length, long size) {
    return offset < 0 || length < 0 || offset > size || length > size - offset;
  }

  private static Optional<Refusal> invalid(String message) {
    return refused(NbdError.EINVAL, message);
  }

  private static Optional<Refusal> refused(NbdError error, String message) {
    return Optional.of(new Refusal(error, message));
  }
}
