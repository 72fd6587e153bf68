package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_PAYLOAD_LEN;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDevice.StatusExtent;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdError;
import corfu.nbd.internal.protocol.NbdRequest;
import corfu.nbd.internal.session.RequestCheck.Refusal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The contexts whose status a client asks for.
 *
 * <pre>
 *            0                8         12
 *            +----------------+---------+--------- - -
 *   payload  | length         | context | context ...
 *            +----------------+---------+--------- - -
 * </pre>
 *
 * @param length the number of bytes of the range
 * @param contexts the numbers of the contexts, from 1 on
 */
record StatusQuery(long length, List<Integer> contexts) {

  private static final int LENGTH_BYTES = 8;
  private static final int CONTEXT_BYTES = 4;

  /** Returns why a request, whose payload has not arrived yet, cannot be served. */
  static Optional<Refusal> refusal(NbdRequest request, int payloadBytes, OpenExport export) {
    int chosen = export.contexts().size();
    if (chosen == 0) {
      return invalid("BLOCK_STATUS without a metadata context");
    }
    boolean isWrong =
        request.has(CMD_FLAG_PAYLOAD_LEN)
            && (payloadBytes < LENGTH_BYTES + CONTEXT_BYTES
                || payloadBytes > LENGTH_BYTES + chosen * CONTEXT_BYTES
                || payloadBytes % CONTEXT_BYTES != 0);
    return isWrong
        ? invalid("BLOCK_STATUS with a payload of %d bytes".formatted(payloadBytes))
        : Optional.empty();
  }

  /** Returns the query for all contexts that the client has chosen. */
  static StatusQuery ofAll(NbdRequest request, OpenExport export) {
    int chosen = export.contexts().size();
    return new StatusQuery(request.length(), IntStream.rangeClosed(1, chosen).boxed().toList());
  }

  /** Returns the query that a payload, whose size is right, contains. */
  static StatusQuery ofPayload(ByteBuffer payload) {
    long length = payload.getLong();
    List<Integer> contexts = new ArrayList<>();
    while (payload.hasRemaining()) {
      contexts.add(payload.getInt());
    }
    return new StatusQuery(length, contexts);
  }

  /** Returns why the query cannot be served. */
  Optional<Refusal> refusal(
      NbdRequest request, OpenExport export, RequestCheck check, long sizeBytes) {
    int chosen = export.contexts().size();
    boolean areKnown = contexts.stream().allMatch(id -> id >= 1 && id <= chosen);
    if (!areKnown || new HashSet<>(contexts).size() < contexts.size()) {
      return invalid("BLOCK_STATUS of unknown or repeated contexts " + contexts);
    }
    NbdRequest range =
        new NbdRequest(request.flags(), request.type(), request.cookie(), request.offset(), length);
    return check.wrongRange(range, NbdCommand.BLOCK_STATUS, sizeBytes, sizeBytes);
  }

  /** Asks the device. The answers have the order of the contexts. */
  CompletableFuture<List<List<StatusExtent>>> ask(long offset, OpenExport export) {
    BlockDevice device = export.device();
    List<CompletableFuture<List<StatusExtent>>> asked = new ArrayList<>();
    for (int id : contexts) {
      asked.add(device.blockStatus(export.contexts().get(id - 1), offset, length));
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
  }

  private static Optional<Refusal> invalid(String message) {
    return Optional.of(new Refusal(NbdError.EINVAL, message));
  }
}
