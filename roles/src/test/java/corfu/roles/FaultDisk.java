package corfu.roles;

import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A disk in memory that does no more than it promises. A crash loses, tears or keeps unsynced
 * bytes, and any changing call can be made to fail, with or without its effect.
 */
public final class FaultDisk implements Disk {

  private final SplittableRandom random;
  private TreeMap<String, Contents> names = new TreeMap<>();

  /** The names that a crash may leave: as last synced, or as after any change since. */
  private final List<TreeMap<String, Contents>> survivors = new ArrayList<>();

  private int callsUntilFailure = Integer.MAX_VALUE;
  private boolean staysBroken;

  public FaultDisk(SplittableRandom random) {
    this.random = random;
    survivors.add(new TreeMap<>());
  }

  /** Makes only the call after {@code calls} further calls fail. */
  public void failOnceAfter(int calls) {
    callsUntilFailure = calls;
    staysBroken = false;
  }

  /** Makes everything fail after {@code calls} further calls, until the crash. */
  public void failAfter(int calls) {
    callsUntilFailure = calls;
    staysBroken = true;
  }

  /** Returns whether a requested failure has happened. */
  public boolean hasFailed() {
    return callsUntilFailure < 0;
  }

  /** Simulates a power failure. The disk then has a content that a real disk might have kept. */
  public void crash() {
    names = new TreeMap<>(survivors.get(random.nextInt(survivors.size())));
    names.values().forEach(contents -> contents.crash(random));
    syncedNames();
    callsUntilFailure = Integer.MAX_VALUE;
  }

  /** Changes one bit of a file. */
  public void flipBit(String name, int bit) {
    names.get(name).live[bit / 8] ^= (byte) (1 << bit % 8);
  }

  /** Returns the content of the file as a process sees it. */
  public byte[] bytesOf(String name) {
    return names.get(name).live.clone();
  }

  /** Truncates a file without a call of the disk. */
  public void cut(String name, int size) {
    Contents contents = names.get(name);
    contents.live = Arrays.copyOf(contents.live, size);
  }

  public int sizeOf(String name) {
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
    private static final int SECTOR_BYTES = 512;

    private byte[] live = new byte[0];
    private byte[] synced = new byte[0];

    /** Sectors with written, but unsynced bytes. */
    private final BitSet dirty = new BitSet();

    private void wrote(int from, int to) {
      dirty.set(from / SECTOR_BYTES, Math.ceilDiv(to, SECTOR_BYTES));
    }

    private void sync() {
      synced = live.clone();
      dirty.clear();
    }

    /**
     * Leaves each written sector as it was, as it should be, or with random bytes, and likewise the
     * size. Other bytes stay as they are.
     */
    private void crash(SplittableRandom random) {
      if (!Arrays.equals(live, synced)) {
        int least = Math.min(live.length, synced.length);
        int most = Math.max(live.length, synced.length);
        byte[] left = Arrays.copyOf(synced, random.nextInt(least, most + 1));
        int luck = random.nextInt(4); // common to all sectors, or drawn for each
        dirty.stream().forEach(sector -> crash(sector, luck, left, random));
        live = left;
      }
      sync();
    }

    private void crash(int sector, int common, byte[] left, SplittableRandom random) {
      int start = sector * SECTOR_BYTES;
      int end = Math.min(start + SECTOR_BYTES, left.length);
      int luck = common == 3 ? random.nextInt(3) : common;
      for (int i = start; i < end; i++) {
        byte written = i < live.length ? live[i] : 0;
        left[i] = luck == 0 ? left[i] : luck == 1 ? written : (byte) random.nextInt();
      }
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
              contents.wrote(at, end);
              contents.live = Arrays.copyOf(contents.live, Math.max(contents.live.length, end));
              part.get(contents.live, at, part.remaining());
              at = end;
            }
          });
    }

    @Override
    public void resize(long size) {
      change(
          () -> {
            contents.wrote((int) Math.min(size, contents.live.length), (int) size);
            contents.live = Arrays.copyOf(contents.live, (int) size);
          });
    }

    @Override
    public void sync() {
      change(contents::sync);
    }

    @Override
    public void close() {}
  }
}
