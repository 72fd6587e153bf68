package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_DF;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_FAST_ZERO;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_FUA;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_NO_HOLE;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_PAYLOAD_LEN;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_REQ_ONE;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDevice.StatusExtent;
import corfu.nbd.internal.protocol.HeaderStyle;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdError;
import corfu.nbd.internal.protocol.NbdRequest;
import corfu.nbd.internal.protocol.ReplyHeaders;
import corfu.nbd.internal.session.RequestCheck.Refusal;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transmission: requests reach the device in their order, replies leave in the order in which
 * the device has served them.
 */
final class Transmission {

  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

  private final SessionContext context;
  private final DeviceCalls calls;
  private final ClientLink link;
  private final HeaderStyle style;
  private final OpenExport export;
  private final BlockDevice device;
  private final RequestCheck check;
  private final Admission admission;

  /** Changed by the device's threads. */
  private volatile long sizeBytes;

  private long largestBytes;

  /** The request that the client is sending. */
  private @Nullable Incoming incoming;

  private boolean isAdmitted;
  private ByteBuffer payload = NO_BYTES;
  private int toSkip;

  /** The number of requests that the device serves. */
  private int executing;

  /**
   * When the device answered last: only from then on a client may owe the acceptance of replies.
   */
  private long answeredNanos;

  private boolean isStopping;
  private boolean isDisconnecting;
  private boolean isGone;
  private boolean isGivenBack;

  /**
   * A request, with what its header tells.
   *
   * @param payloadBytes the number of bytes behind the header
   * @param heldBytes the memory that it holds until its reply has left
   * @param refusal why it does not reach the device
   */
  private record Incoming(
      NbdRequest request, int payloadBytes, long heldBytes, Optional<Refusal> refusal) {

    NbdCommand command() {
      return NbdCommand.of(request.type());
    }
  }

  Transmission(
      SessionContext context,
      DeviceCalls calls,
      ClientLink link,
      HeaderStyle style,
      OpenExport export) {
    this.context = context;
    this.answeredNanos = context.nanoTime().getAsLong();
    this.calls = calls;
    this.link = link;
    this.style = style;
    this.export = export;
    this.device = export.device();
    this.check = new RequestCheck(style, ExportFlags.of(export.device(), export.contexts(), style));
    this.admission = new Admission(context.bounds(), context.budget(), calls, link::proceed);
    this.sizeBytes = device.info().sizeBytes();
    this.largestBytes = sizeBytes;
    device.onResize(newSize -> sizeBytes = newSize);
  }

  /** Returns whether the client owes bytes: the rest of a request, or the acceptance of replies. */
  boolean waitsForClient() {
    return admission.requests() > executing;
  }

  /** Returns the time of the device's last answer, or of the beginning. */
  long answeredNanos() {
    return answeredNanos;
  }

  /** Refuses further requests. The session finishes after those in flight. */
  void stop() {
    isStopping = true;
  }

  /** Learns that the socket has accepted replies. */
  void sent(int requests, long bytes) {
    admission.release(requests, bytes);
    if (!isGone) {
      link.proceed();
    }
  }

  /** Ends the transmission with the connection. Requests that the device serves end later. */
  void end() {
    isGone = true;
    admission.end();
    Incoming partial = incoming;
    if (partial != null && isAdmitted) {
      admission.release(1, partial.heldBytes());
    }
    incoming = null;
    giveBack();
  }

  private void giveBack() {
    if (isGone && executing == 0 && !isGivenBack) {
      isGivenBack = true;
      device.close();
    }
  }

  SessionStep step(ByteBuf in) {
    if (isDisconnecting) {
      in.skipBytes(in.readableBytes());
      return admission.requests() > 0 ? SessionStep.BLOCKED : SessionStep.FINISHED;
    }
    if (incoming == null) {
      if (isStopping && admission.requests() == 0) {
        return SessionStep.FINISHED;
      }
      if (in.readableBytes() < style.requestBytes()) {
        return SessionStep.STARVED;
      }
      incoming = examine(NbdRequest.read(in, style));
    }
    if (!isAdmitted) {
      if (!admission.admit(incoming.heldBytes())) {
        return SessionStep.BLOCKED;
      }
      isAdmitted = true;
      begin(incoming);
      return SessionStep.ADVANCED;
    }
    return toSkip > 0 ? skip(in, incoming) : fill(in, incoming);
  }

  private Incoming examine(NbdRequest request) {
    int payloadBytes = check.payloadBytes(request);
    Optional<Refusal> refusal = refusal(request, payloadBytes);
    long held = payloadBytes;
    if (refusal.isPresent()) {
      held = 0;
    } else if (request.type() == NbdCommand.READ.code()) {
      held = request.length();
    }
    return new Incoming(request, payloadBytes, held, refusal);
  }

  private Optional<Refusal> refusal(NbdRequest request, int payloadBytes) {
    long size = sizeBytes;
    largestBytes = Math.max(largestBytes, size);
    if (request.type() == NbdCommand.DISC.code()) {
      return Optional.empty();
    }
    if (isStopping) {
      return Optional.of(new Refusal(NbdError.ESHUTDOWN, "this server stops"));
    }
    Optional<Refusal> refusal = check.refusal(request, size, largestBytes);
    return refusal.isEmpty() && request.type() == NbdCommand.BLOCK_STATUS.code()
        ? StatusQuery.refusal(request, payloadBytes, export)
        : refusal;
  }

  /** Begins with an admitted request, whose header alone has arrived. */
  private void begin(Incoming request) {
    if (request.payloadBytes() == 0) {
      done();
      conclude(request, NO_BYTES);
    } else if (request.refusal().isPresent()) {
      toSkip = request.payloadBytes();
    } else {
      payload = ByteBuffer.allocate(request.payloadBytes());
    }
  }

  private SessionStep skip(ByteBuf in, Incoming request) {
    int bytes = Math.min(toSkip, in.readableBytes());
    in.skipBytes(bytes);
    toSkip -= bytes;
    if (toSkip > 0) {
      return SessionStep.STARVED;
    }
    done();
    conclude(request, NO_BYTES);
    return SessionStep.ADVANCED;
  }

  /** Copies what has arrived into the buffer that the device will keep. */
  private SessionStep fill(ByteBuf in, Incoming request) {
    int bytes = Math.min(payload.remaining(), in.readableBytes());
    payload.limit(payload.position() + bytes);
    in.readBytes(payload);
    payload.limit(payload.capacity());
    if (payload.hasRemaining()) {
      return SessionStep.STARVED;
    }
    ByteBuffer whole = payload.flip();
    done();
    conclude(request, whole);
    return SessionStep.ADVANCED;
  }

  private void done() {
    incoming = null;
    isAdmitted = false;
    payload = NO_BYTES;
  }

  /** Serves or refuses a request that has arrived completely. */
  private void conclude(Incoming request, ByteBuffer data) {
    if (request.refusal().isPresent()) {
      Refusal refusal = request.refusal().get();
      fail(request, refusal.error(), refusal.message());
    } else if (request.command() == NbdCommand.DISC) {
      admission.release(1, 0);
      isDisconnecting = true;
    } else {
      execute(request, data);
    }
  }

  private void execute(Incoming incomingRequest, ByteBuffer data) {
    NbdRequest request = incomingRequest.request();
    NbdCommand command = incomingRequest.command();
    if (command.hasRange() && request.length() == 0) {
      succeed(incomingRequest); // no byte is affected
      return;
    }
    long offset = request.offset();
    long length = request.length();
    boolean fua = request.has(CMD_FLAG_FUA);
    switch (command) {
      case READ -> read(incomingRequest);
      case WRITE -> change(incomingRequest, () -> device.write(offset, data, fua));
      case FLUSH -> change(incomingRequest, device::flush);
      case TRIM -> change(incomingRequest, () -> device.trim(offset, length, fua));
      case CACHE -> change(incomingRequest, () -> device.cache(offset, length));
      case WRITE_ZEROES ->
          change(
              incomingRequest,
              () ->
                  device.writeZeroes(
                      offset,
                      length,
                      !request.has(CMD_FLAG_NO_HOLE),
                      request.has(CMD_FLAG_FAST_ZERO),
                      fua));
      case BLOCK_STATUS -> status(incomingRequest, data);
      case RESIZE -> resize(incomingRequest, offset);
      case DISC -> throw new IllegalStateException("DISC is no request to a device");
    }
  }

  private void change(Incoming request, Supplier<CompletableFuture<Void>> call) {
    this.<Void>call(request, call, nothing -> succeed(request));
  }

  private void resize(Incoming request, long newSize) {
    if (newSize < 0) {
      fail(request, NbdError.ENOSPC, "no device has " + Long.toUnsignedString(newSize) + " bytes");
    } else {
      change(request, () -> device.resize(newSize));
    }
  }

  private void read(Incoming incomingRequest) {
    NbdRequest request = incomingRequest.request();
    int length = (int) request.length();
    ByteBuf data = link.buffer(length);
    this.<Void>call(
        incomingRequest,
        () -> device.read(request.offset(), data.nioBuffer(0, length)),
        nothing -> {
          ReadReply.send(link, style, request, data.setIndex(0, length), !request.has(CMD_FLAG_DF));
          link.replied(incomingRequest.heldBytes());
        },
        data::release);
  }

  private void status(Incoming incomingRequest, ByteBuffer data) {
    NbdRequest request = incomingRequest.request();
    StatusQuery query =
        request.has(CMD_FLAG_PAYLOAD_LEN)
            ? StatusQuery.ofPayload(data)
            : StatusQuery.ofAll(request, export);
    Optional<Refusal> refusal = query.refusal(request, export, check, sizeBytes);
    if (refusal.isPresent()) {
      fail(incomingRequest, refusal.get().error(), refusal.get().message());
      return;
    }
    call(
        incomingRequest,
        () -> query.ask(request.offset(), export),
        answers -> {
          List<List<StatusExtent>> replies = new ArrayList<>();
          for (List<StatusExtent> answer : answers) {
            replies.add(
                StatusReply.of(answer, style, query.length(), request.has(CMD_FLAG_REQ_ONE)));
          }
          if (replies.stream().anyMatch(List::isEmpty)) {
            throw new IllegalStateException("the device tells no status of its first byte");
          }
          for (int i = 0; i < replies.size(); i++) {
            boolean last = i == replies.size() - 1;
            int id = query.contexts().get(i);
            ReplyHeaders.status(link.out(), style, request, id, replies.get(i), last);
          }
          link.replied(incomingRequest.heldBytes());
        });
  }

  private <T extends @Nullable Object> void call(
      Incoming request, Supplier<CompletableFuture<T>> call, Consumer<T> reply) {
    call(request, call, reply, () -> {});
  }

  /**
   * Calls the device.
   *
   * @param reply is given the result, unless the call fails or the connection ends before
   * @param discard is called instead of {@code reply}
   */
  private <T extends @Nullable Object> void call(
      Incoming request, Supplier<CompletableFuture<T>> call, Consumer<T> reply, Runnable discard) {
    executing++;
    CompletableFuture<T> future;
    try {
      future = call.get();
    } catch (RuntimeException thrown) {
      future = CompletableFuture.failedFuture(thrown);
    }
    CompletableFuture<T> called = future;
    calls.<T>deliver(called, (value, failure) -> received(request, value, failure, reply, discard));
  }

  @SuppressWarnings("NullAway") // the value is of type T where there is no failure
  private <T extends @Nullable Object> void received(
      Incoming request,
      @Nullable T value,
      @Nullable Throwable failure,
      Consumer<T> reply,
      Runnable discard) {
    executing--;
    answeredNanos = context.nanoTime().getAsLong();
    if (isGone || failure != null) {
      discard.run();
    }
    if (isGone) {
      admission.release(1, request.heldBytes());
      giveBack();
    } else if (failure != null) {
      failed(request, failure);
    } else {
      try {
        reply.accept(value);
      } catch (IllegalStateException wrong) {
        failed(request, wrong);
      }
    }
  }

  private void succeed(Incoming request) {
    ReplyHeaders.success(link.out(), style, request.request());
    link.replied(request.heldBytes());
  }

  private void failed(Incoming request, Throwable failure) {
    NbdRequest failing = request.request();
    boolean fastOnly =
        request.command() == NbdCommand.WRITE_ZEROES && failing.has(CMD_FLAG_FAST_ZERO);
    NbdError error = Failures.ofRequest(failure, request.command(), fastOnly);
    if (!Failures.isExpected(failure)) {
      context.log().error(describe(failing) + " failed", Failures.cause(failure));
    } else if (error != NbdError.ENOTSUP) {
      context.log().warn(describe(failing) + ": " + error + ", " + Failures.message(failure));
    }
    fail(request, error, Failures.message(failure));
  }

  private String describe(NbdRequest request) {
    return "%s of %s bytes at %s by NBD client %s to export %s"
        .formatted(
            request.name(),
            Long.toUnsignedString(request.length()),
            Long.toUnsignedString(request.offset()),
            link.client(),
            export.name());
  }

  private void fail(Incoming request, NbdError error, String message) {
    ReplyHeaders.failure(link.out(), style, request.request(), error, message);
    link.replied(request.heldBytes());
  }
}
