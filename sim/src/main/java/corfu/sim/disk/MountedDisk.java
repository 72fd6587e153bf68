package corfu.sim.disk;

import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import corfu.world.DiskFullException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A disk in use by one process. Calls take time, during which the process may be killed. Then the
 * call has no effect, except that a part of a write may happen.
 */
public final class MountedDisk implements Disk {

  private static final int CALL_NANOS_MAX = 20_000;
  private static final int SYNC_NANOS_MIN = 40_000;
  private static final int SYNC_NANOS_MAX = 400_000;
  private static final int SLOW_SYNC_NANOS_MAX = 20_000_000;

  private final SimDisk disk;
  private final SimWorld world;
  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private boolean pulled;
  private boolean isServing;

  /** Thrown in a process whose disk was pulled out; only dying processes see it. */
  public static final class PulledException extends Error {
    private static final long serialVersionUID = 1L;

    private PulledException(String disk) {
      super("the disk " + disk + " has been pulled out");
    }
  }

  public MountedDisk(SimDisk disk, SimWorld world) {
    this.disk = disk;
    this.world = world;
  }

  /** Lets reads be falsified from now on: the start has read its files. */
  public void isServing() {
    isServing = true;
  }

  @Override
  public List<String> list() {
    return disk.list();
  }

  @Override
  public boolean exists(String name) {
    return disk.has(name);
  }

  @Override
  public DiskFile create(String name) {
    takeTime();
    if (disk.has(name)) {
      throw failure("create", name, "it exists");
    }
    if (disk.freeBytes() == 0 || isRefused()) {
      throw full("create", name);
    }
    return new OpenFile(name, disk.create(name));
  }

  @Override
  public DiskFile open(String name) {
    if (!disk.has(name)) {
      throw failure("open", name, "there is no such file");
    }
    return new OpenFile(name, disk.file(name));
  }

  @Override
  public void delete(String name) {
    takeTime();
    disk.delete(name);
  }

  @Override
  public void rename(String from, String to) {
    takeTime();
    if (!disk.has(from)) {
      throw failure("rename", from, "there is no such file");
    }
    disk.rename(from, to);
  }

  @Override
  public void syncNames() {
    long covered = disk.changesOfNames();
    takeTimeToSync(0);
    disk.syncedNamesUpTo(covered);
  }

  @Override
  public long freeBytes() {
    return disk.freeBytes();
  }

  @Override
  public String description() {
    return disk.name();
  }

  @Override
  public void close() {}

  private boolean isRefused() {
    return disk.refusalsPerMille() > 0 && world.chance().below(1000) < disk.refusalsPerMille();
  }

  private void takeTime() {
    spend(world.chance().below(CALL_NANOS_MAX));
  }

  private void takeTimeToSync(long bytes) {
    SimRandom chance = world.chance();
    long nanos =
        chance.oneIn(100)
            ? chance.between(SYNC_NANOS_MAX, SLOW_SYNC_NANOS_MAX)
            : chance.between(SYNC_NANOS_MIN, SYNC_NANOS_MAX);
    spend(nanos + disk.nanosFor(bytes));
  }

  private void spend(long nanos) {
    checkNotPulled();
    CompletableFuture<Void> spent = new CompletableFuture<>();
    Runnable goOn = () -> spent.complete(null);
    waiting.add(goOn);
    world.after(nanos * disk.slowness(), goOn);
    spent.join();
    waiting.remove(goOn);
    checkNotPulled();
  }

  private void checkNotPulled() {
    if (pulled) {
      throw new PulledException(disk.name());
    }
  }

  /** Fails all further calls of the process, and ends its waiting calls at once. */
  public void pull() {
    pulled = true;
    List.copyOf(waiting).forEach(Runnable::run);
  }

  private DiskException failure(String call, String file, String reason) {
    return new DiskException("cannot " + call + " " + disk.name() + "/" + file + ": " + reason);
  }

  private DiskFullException full(String call, String file) {
    return new DiskFullException(
        "cannot " + call + " " + disk.name() + "/" + file + ": no space left");
  }

  /** An open file. It stays the same file if its name is given to another one. */
  private final class OpenFile implements DiskFile {

    private final String name;
    private final SimFile file;
    private boolean closed;
    private long unsyncedBytes;

    private OpenFile(String name, SimFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public int read(ByteBuffer into, long position) {
      check("read");
      return isServing && disk.diskFaults().isPresent()
          ? disk.diskFaults().get().read(file, into, position)
          : file.read(into, position);
    }

    /** The buffers reach the disk one after the other: a crash may come between them. */
    @Override
    public void write(ByteBuffer[] from, long position) {
      check("write");
      long at = position;
      for (ByteBuffer buffer : from) {
        if (world.chance().oneIn(4)) {
          takeTime();
        }
        long room = isRefused() ? 0 : Math.max(0, file.size() - at) + disk.freeBytes();
        byte[] fitting = new byte[(int) Math.min(buffer.remaining(), room)];
        buffer.get(fitting);
        write(fitting, at);
        at += fitting.length;
        unsyncedBytes += fitting.length;
        if (buffer.hasRemaining()) {
          throw full("write", name);
        }
      }
    }

    private void write(byte[] bytes, long position) {
      Optional<DiskFaults> diskFaults = disk.diskFaults().filter(liar -> !isKeptTwice());
      byte[] before = new byte[diskFaults.isPresent() ? bytes.length : 0];
      int unused = file.read(ByteBuffer.wrap(before), position);
      file.write(bytes, position);
      diskFaults.ifPresent(liar -> liar.wrote(file, position, bytes, before));
    }

    private boolean isKeptTwice() {
      return !name.endsWith(".log") && !name.startsWith("spare");
    }

    @Override
    public void resize(long size) {
      check("resize");
      takeTime();
      if (size - file.size() > disk.freeBytes() || isRefused()) {
        throw full("resize", name);
      }
      file.resize(size);
    }

    @Override
    public void sync() {
      check("sync");
      long covered = file.changes();
      long bytes = unsyncedBytes;
      unsyncedBytes = 0;
      takeTimeToSync(bytes);
      if (disk.syncFailuresPerMille() > 0
          && world.chance().below(1000) < disk.syncFailuresPerMille()) {
        file.losePower(world.chance());
        throw failure("sync", name, "input/output error");
      }
      file.syncedUpTo(covered);
    }

    @Override
    public void close() {
      closed = true;
    }

    private void check(String call) {
      if (closed) {
        throw failure(call, name, "it has been closed");
      }
    }
  }
}
