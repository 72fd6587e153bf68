package corfu.nbd.internal.session;

import corfu.nbd.Exports;
import corfu.nbd.testing.CollectedLog;
import corfu.nbd.testing.MemoryDevice;
import corfu.nbd.testing.MemoryExports;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A session without sockets, threads and clocks: bytes in, bytes out. */
public final class SessionStand {

  public static final long SIZE = 1 << 20;

  public final MemoryDevice disk = new MemoryDevice(SIZE);
  public final MemoryDevice past = new MemoryDevice(SIZE, true);
  public final MemoryBudget budget = new MemoryBudget(64 << 20);
  public final AtomicLong now = new AtomicLong();
  public final CollectedLog log = new CollectedLog();
  public final NbdSession session;

  /** Whether the client accepts what the server sends. */
  public boolean accepts = true;

  public boolean isClosed;
  public boolean isTlsStarted;

  private final ByteBuf sent = Unpooled.buffer();
  private final List<ByteBuf> buffers = new ArrayList<>();
  private ByteBuf rest = Unpooled.EMPTY_BUFFER;
  private int unaccepted;
  private long unacceptedBytes;
  private boolean isProcessing;

  public SessionStand() {
    this(TlsNeed.OFF);
  }

  public SessionStand(TlsNeed tls) {
    this(tls, null, new SessionBounds(16, 48 << 20));
  }

  /** Creates a session with these exports, or with "disk" and "past". */
  public SessionStand(TlsNeed tls, @Nullable Exports exports, SessionBounds bounds) {
    Exports offered =
        exports == null ? new MemoryExports().with("disk", disk).with("past", past) : exports;
    this.session =
        new NbdSession(
            new SessionContext(
                offered, tls, bounds, budget, now::get, new SessionLog(log, now::get)),
            new Calls(),
            new Link());
  }

  /** Gives the session bytes of the client. */
  public void receive(ByteBuf bytes) {
    rest = Unpooled.wrappedBuffer(rest, bytes);
    process();
  }

  private void process() {
    if (isProcessing) {
      return;
    }
    isProcessing = true;
    session.process(rest);
    isProcessing = false;
    if (isTlsStarted) {
      rest.skipBytes(rest.readableBytes());
    }
    if (accepts) {
      acceptAll();
    }
  }

  /** Lets the client accept everything sent so far. */
  public void acceptAll() {
    int count = unaccepted;
    long bytes = unacceptedBytes;
    unaccepted = 0;
    unacceptedBytes = 0;
    if (count > 0) {
      session.sent(count, bytes);
    }
  }

  /** Returns how many buffers for reads have not been released. */
  public long heldBuffers() {
    return buffers.stream().filter(buffer -> buffer.refCnt() > 0).count();
  }

  /** Returns and forgets what the session has sent. */
  public ByteBuf takeSent() {
    ByteBuf all = sent.copy();
    sent.clear();
    return all;
  }

  /** Returns the number of bytes that the session has not processed. */
  public int unprocessed() {
    return rest.readableBytes();
  }

  private final class Calls implements DeviceCalls {

    @Override
    public <T extends @Nullable Object> void deliver(
        CompletableFuture<T> future, Receiver<T> receiver) {
      var unused =
          future.whenComplete(
              (value, failure) -> {
                receiver.receive(value, failure);
                if (accepts && !isProcessing) {
                  acceptAll();
                }
              });
    }

    @Override
    public void run(Runnable task) {
      task.run();
    }
  }

  private final class Link implements ClientLink {

    @Override
    public ByteBuf out() {
      return sent;
    }

    @Override
    public ByteBuf buffer(int bytes) {
      ByteBuf buffer = Unpooled.buffer(bytes, bytes);
      buffers.add(buffer);
      return buffer;
    }

    @Override
    public void send(ByteBuf data) {
      sent.writeBytes(data);
      data.release();
    }

    @Override
    public void replied(long bytes) {
      unaccepted++;
      unacceptedBytes += bytes;
    }

    @Override
    public void startTls() {
      isTlsStarted = true;
    }

    @Override
    public void proceed() {
      process();
    }

    @Override
    public void close() {
      isClosed = true;
    }

    @Override
    public String client() {
      return "a test";
    }
  }
}
