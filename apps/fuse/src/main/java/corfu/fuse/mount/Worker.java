package corfu.fuse.mount;

import corfu.fuse.Done;
import corfu.fuse.FileSystem;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.Opcode;
import corfu.fuse.protocol.ReplyEncoder;
import corfu.fuse.protocol.Request;
import corfu.fuse.protocol.RequestDecoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread's loop: it reads a request, serves it, and writes the reply. It owns a descriptor of
 * the device and two buffers, so a request needs no allocation of memory and no lock.
 */
final class Worker implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  /** No request has this id. */
  private static final long IDLE = 0;

  private final Connection connection;
  private final FileSystem fileSystem;
  private final Device device;
  private final RequestDecoder decoder;
  private final MemorySegment requestBuffer;
  private final MemorySegment replyBuffer;
  private final Dispatcher dispatcher;

  /** The request that this thread serves. Other threads read it. */
  private volatile long current = IDLE;

  private volatile Counters counters = Counters.NONE;

  /** The requests by the numbers of their opcodes. This thread counts, others read. */
  private final AtomicLongArray requests = new AtomicLongArray(Opcode.MOST + 1);

  Worker(Connection connection, FileSystem fileSystem, Device device, RequestDecoder decoder) {
    this.connection = connection;
    this.fileSystem = fileSystem;
    this.device = device;
    this.decoder = decoder;
    requestBuffer = SystemCalls.map(connection.bufferBytes());
    replyBuffer = SystemCalls.map(connection.bufferBytes());
    dispatcher = new Dispatcher(fileSystem, replyBuffer);
  }

  @Override
  public void run() {
    try {
      long read;
      do {
        read = device.read(requestBuffer);
        if (read > 0) {
          connection.taken();
          count(new Counters(1, 1, read, 0));
          serve(read);
          connection.finished();
        }
      } while (read >= 0 || isTransient(Errno.of(read)));
    } finally {
      int unusedRequest = SystemCalls.unmap(requestBuffer);
      int unusedReply = SystemCalls.unmap(replyBuffer);
      connection.ended();
    }
  }

  private static boolean isTransient(Errno errno) {
    return switch (errno) {
      case EINTR, EAGAIN, ENOENT -> true; // ENOENT: the caller gave up before the read
      case ENODEV, ECONNABORTED -> false; // unmounted or aborted
      default -> {
        LOG.error("Reading /dev/fuse failed with {}; a worker thread of the mount ends", errno);
        yield false;
      }
    };
  }

  /** Counts a step before its effect, so a caller that has its reply finds itself counted. */
  private void count(Counters step) {
    counters = counters.plus(step);
  }

  Counters counters() {
    return counters;
  }

  long requests(Opcode kind) {
    return requests.get(kind.code());
  }

  private void count(int opcode) {
    if (opcode >= 0 && opcode <= Opcode.MOST) {
      requests.setRelease(opcode, requests.getPlain(opcode) + 1);
    }
  }

  boolean serves(long unique) {
    return current == unique;
  }

  /** Serves the request in the buffer, and writes its reply unless it has none yet. */
  private void serve(long length) {
    Request request = decoder.decode(requestBuffer, length);
    long unique = request.header().unique();
    current = unique;
    count(request.header().opcode());
    if (connection.pending().isInterrupted(unique)) {
      fileSystem.interrupt(unique);
    }
    int bytes;
    try {
      bytes = reply(request);
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      LOG.error("The file system failed at {}; the caller gets EIO", request.header(), e);
      bytes = dispatcher.fail(request, Errno.EIO);
    }
    current = IDLE;
    connection.pending().served(unique);
    if (bytes > 0) {
      count(new Counters(0, 1, 0, bytes));
      // ENOENT: the caller is gone. The kernel refuses nothing else that a caller could wait for.
      long written = device.write(replyBuffer, bytes);
      if (written == -Errno.EINVAL.code()) {
        LOG.error("The kernel refused the reply to {}; the caller gets EIO", request.header());
        long unused = device.write(replyBuffer, dispatcher.fail(request, Errno.EIO));
      }
    }
  }

  private int reply(Request request) {
    return switch (request) {
      case Request.Forget forget -> {
        fileSystem.forget(forget.header().node(), forget.lookups());
        yield 0;
      }
      case Request.BatchForget forget -> {
        forget.forgotten().forEach(node -> fileSystem.forget(node.node(), node.lookups()));
        yield 0;
      }
      case Request.Interrupt interrupt -> interrupt(interrupt);
      case Request.SetLock lock -> fileSystem.serve(() -> lock(lock));
      case Request.Malformed malformed -> {
        LOG.warn("Malformed request {}: {}", malformed.header(), malformed.problem());
        yield dispatcher.serve(malformed);
      }
      default -> fileSystem.serve(() -> dispatcher.serve(request));
    };
  }

  /**
   * Passes a signal on. To have the kernel send it again would be simpler, but the kernel looks for
   * the request only at the descriptor that the answer comes from, and that is another one.
   */
  private int interrupt(Request.Interrupt interrupt) {
    long unique = interrupt.interrupted();
    connection.pending().interrupt(unique);
    if (connection.serves(unique)) {
      fileSystem.interrupt(unique);
    }
    return 0;
  }

  private int lock(Request.SetLock lock) {
    CompletableFuture<Result<Done>> outcome = fileSystem.setLock(lock);
    if (outcome.isDone()) {
      return outcomeOf(lock, outcome.join());
    }
    long unique = lock.header().unique();
    connection.pending().add(unique, outcome);
    var unused = outcome.thenAccept(result -> replyLater(unique, result));
    return 0;
  }

  private int outcomeOf(Request request, Result<Done> result) {
    return switch (result) {
      case Result.Success<Done> _ ->
          new ReplyEncoder(replyBuffer).finish(request.header().unique(), 0);
      case Result.Failure<Done>(Errno errno) -> dispatcher.fail(request, errno);
    };
  }

  private void replyLater(long unique, Result<Done> result) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(64, 8);
      ReplyEncoder encoder = new ReplyEncoder(buffer);
      int bytes =
          switch (result) {
            case Result.Success<Done> _ -> encoder.finish(unique, 0);
            case Result.Failure<Done>(Errno errno) -> encoder.fail(unique, errno);
          };
      long unused = device.writeIfOpen(buffer, bytes);
    }
  }
}
