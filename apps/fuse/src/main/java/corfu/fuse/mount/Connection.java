package corfu.fuse.mount;

import corfu.fuse.Done;
import corfu.fuse.FileSystem;
import corfu.fuse.Kernel;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.InitFlag;
import corfu.fuse.protocol.InitReply;
import corfu.fuse.protocol.Notification;
import corfu.fuse.protocol.Opcode;
import corfu.fuse.protocol.RequestDecoder;
import corfu.world.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one mount. It begins with two; whenever all are busy it starts another one, up to
 * the bound of the options. Thread-safe.
 */
final class Connection implements Kernel {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** The kernel wants room for the header and the structure in front of the largest write. */
  private static final int ROOM_FOR_HEADERS = 4_096;

  private static final int FIRST_WORKERS = 2;

  private final World world;
  private final FileSystem fileSystem;
  private final MountOptions options;
  private final Device device;
  private final InitReply negotiated;
  private final RequestDecoder decoder;
  private final PendingReplies pending = new PendingReplies();
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private final List<Device> devices = new ArrayList<>();
  private final AtomicInteger idle = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  Connection(
      World world,
      FileSystem fileSystem,
      MountOptions options,
      Device device,
      InitReply negotiated) {
    this.world = world;
    this.fileSystem = fileSystem;
    this.options = options;
    this.device = device;
    this.negotiated = negotiated;
    decoder = new RequestDecoder(negotiated.flags().contains(InitFlag.SETXATTR_EXTENDED));
    devices.add(device);
  }

  /** Starts the first workers. */
  void start() {
    fileSystem.mounted(this);
    addWorker(device);
    for (int i = 1; i < Math.min(FIRST_WORKERS, options.maxThreads()); i++) {
      addClone();
    }
  }

  static int bufferBytes(MountOptions options) {
    return options.transfer().maxWriteBytes() + ROOM_FOR_HEADERS;
  }

  int bufferBytes() {
    return bufferBytes(options);
  }

  InitReply negotiated() {
    return negotiated;
  }

  PendingReplies pending() {
    return pending;
  }

  CompletableFuture<Void> end() {
    return ended;
  }

  /** A worker has read a request. If no other waits for the next one, another starts. */
  void taken() {
    if (idle.decrementAndGet() == 0 && running.get() < options.maxThreads()) {
      addClone();
    }
  }

  /** A worker waits for the next request again. */
  void finished() {
    idle.incrementAndGet();
  }

  boolean serves(long unique) {
    for (Worker worker : workers) {
      if (worker.serves(unique)) {
        return true;
      }
    }
    return false;
  }

  private synchronized void addClone() {
    if (running.get() >= options.maxThreads() || ended.isDone()) {
      return;
    }
    try {
      Device clone = device.another();
      devices.add(clone);
      addWorker(clone);
    } catch (MountException e) {
      LOG.warn("The mount goes on with {} threads", running.get(), e);
    }
  }

  private void addWorker(Device own) {
    running.incrementAndGet();
    idle.incrementAndGet();
    Worker worker = new Worker(this, fileSystem, own, decoder);
    workers.add(worker);
    world.work("corfu-fuse", worker);
  }

  /** A worker has ended. The last one closes the connection. */
  void ended() {
    if (running.decrementAndGet() > 0) {
      return;
    }
    pending.interruptAll();
    synchronized (this) {
      devices.forEach(Device::close);
    }
    try {
      fileSystem.unmounted();
    } finally {
      ended.complete(null);
    }
  }

  Counters counters() {
    return workers.stream().map(Worker::counters).reduce(Counters.NONE, Counters::plus);
  }

  Map<Opcode, Long> requestsByKind() {
    Map<Opcode, Long> sums = new EnumMap<>(Opcode.class);
    for (Opcode kind : Opcode.values()) {
      long sum = workers.stream().mapToLong(worker -> worker.requests(kind)).sum();
      if (sum > 0) {
        sums.put(kind, sum);
      }
    }
    return sums;
  }

  int threads() {
    return running.get();
  }

  @Override
  public Result<Done> send(Notification notification) {
    if (notification instanceof Notification.Store store
        && store.data().byteSize() > negotiated.maxWrite()) {
      return Result.failed(Errno.EINVAL);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(notification.messageBytes(), 8);
      notification.encode(buffer);
      return Result.done(device.writeIfOpen(buffer, notification.messageBytes()));
    }
  }
}
