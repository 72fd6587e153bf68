package corfu.roles.layout;

import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A disk in memory that does no more than it promises: a crash loses, tears or keeps what was not
 * synced, and any call that changes something can be made to fail, with or without its effect.
 */
final class FaultDisk implements Disk {

  private final SplittableRandom random;
  private TreeMap<String, Contents> names = new TreeMap<>();

  /** What a crash may leave of the names: as last synced, or as after any change since. */
  private final List<TreeMap<String, Contents>> survivors = new ArrayList<>();

  private int callsUntilFailure = Integer.MAX_VALUE;
  private boolean staysBroken;

  FaultDisk(SplittableRandom random) {
    this.random = random;
    survivors.add(new TreeMap<>());
  }

  /** Lets the call after {@code calls} more ones fail, and no other. */
  void failOnceAfter(int calls) {
    callsUntilFailure = calls;
    staysBroken = false;
  }

  /** Lets everything fail after {@code calls} more calls, until the crash. */
  void failAfter(int calls) {
    callsUntilFailure = calls;
    staysBroken = true;
  }

  /** Whether an asked-for failure has happened. */
  boolean hasFailed() {
    return callsUntilFailure < 0;
  }

  /** The power goes; what comes back is what a real disk might have kept. */
  void crash() {
    names = new TreeMap<>(survivors.get(random.nextInt(survivors.size())));
    names.values().forEach(contents -> contents.crash(random));
    syncedNames();
    callsUntilFailure = Integer.MAX_VALUE;
  }

  /** Changes one bit of a file. */
  void flipBit(String name, int bit) {
    names.get(name).live[bit / 8] ^= (byte) (1 << bit % 8);
  }

  /** Cuts a file behind the disk's back. */
  void cut(String name, int size) {
    Contents contents = names.get(name);
    contents.live = Arrays.copyOf(contents.live, size);
  }

  int sizeOf(String name) {
    return names.get(name).live.length;
  }

  private void change(Runnable effect) {
    if (callsUntilFailure > 0) {
      callsUntilFailure--;
      effect.run();
      return;
    }
    boolean first = callsUntilFailure == 0;
    callsUntilFailure = staysBroken ? -1 : Integer.MAX_VALUE;
    if (first && random.nextBoolean()) {
      effect.run();
    }
    throw new DiskException("the disk fails, as it was told to");
  }

  private void changeNames(Runnable effect) {
    change(
        () -> {
          effect.run();
          survivors.add(new TreeMap<>(names));
        });
  }

  private void syncedNames() {
    survivors.clear();
    survivors.add(new TreeMap<>(names));
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public DiskFile create(String name) {
    if (names.containsKey(name)) {
      throw new DiskException(name + " exists");
    }
    changeNames(() -> names.put(name, new Contents()));
    return open(name);
  }

  @Override
  public DiskFile open(String name) {
    Contents contents = names.get(name);
    if (contents == null) {
      throw new DiskException(name + " does not exist");
    }
    return new MemoryFile(name, contents);
  }

  @Override
  public void delete(String name) {
    changeNames(() -> names.remove(name));
  }

  @Override
  public void rename(String from, String to) {
    changeNames(() -> names.put(to, names.remove(from)));
  }

  @Override
  public void syncNames() {
    change(this::syncedNames);
  }

  @Override
  public long freeBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public String description() {
    return "a faulty disk";
  }

  @Override
  public void close() {}

  private static final class Contents {
    private byte[] live = new byte[0];
    private byte[] synced = new byte[0];

    /** Any prefix of what was not synced may be there, and behind it anything. */
    private void crash(SplittableRandom random) {
      if (!Arrays.equals(live, synced)) {
        byte[] left = Arrays.copyOf(live, random.nextInt(live.length + 1));
        for (int i = random.nextInt(left.length + 1); i < left.length; i++) {
          left[i] = (byte) random.nextInt();
        }
        live = random.nextBoolean() ? left : synced.clone();
      }
      synced = live.clone();
    }
  }

  private final class MemoryFile implements DiskFile {
    private final String name;
    private final Contents contents;

    MemoryFile(String name, Contents contents) {
      this.name = name;
      this.contents = contents;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() {
      return contents.live.length;
    }

    @Override
    public int read(ByteBuffer into, long position) {
      int length = Math.clamp(contents.live.length - position, 0, into.remaining());
      into.put(contents.live, (int) position, length);
      return length;
    }

    @Override
    public void write(ByteBuffer[] from, long position) {
      change(
          () -> {
            int at = (int) position;
            for (ByteBuffer part : from) {
              int end = at + part.remaining();
              contents.live = Arrays.copyOf(contents.live, Math.max(contents.live.length, end));
              part.get(contents.live, at, part.remaining());
              at = end;
            }
          });
    }

    @Override
    public void resize(long size) {
      change(() -> contents.live = Arrays.copyOf(contents.live, (int) size));
    }

    @Override
    public void sync() {
      change(() -> contents.synced = contents.live.clone());
    }

    @Override
    public void close() {}
  }
}
