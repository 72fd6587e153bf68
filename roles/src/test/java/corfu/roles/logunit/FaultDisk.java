package corfu.roles.logunit;

import corfu.roles.logunit.format.LogFileName;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import corfu.world.DiskFullException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A disk in memory that fails at the worst moments. A crash loses unsynced writes: each write by
 * itself, and any part of it. Names survive in the order of their changes, up to any point.
 */
public final class FaultDisk implements Disk {

  private final TreeMap<String, Content> names = new TreeMap<>();
  private TreeMap<String, Content> durableNames = new TreeMap<>();
  private final List<TreeMap<String, Content>> nameChanges = new ArrayList<>();
  private int boot;

  long capacity = Long.MAX_VALUE;
  long bytesRead;
  int reads;
  int effects;

  /**
   * The number of the effect at which the machine crashes. It fails, and so does everything after
   * it.
   */
  int crashAt = Integer.MAX_VALUE;

  /** The number of the effect that finds the disk full. */
  int fullAt = Integer.MAX_VALUE;

  boolean syncsFail;
  int openFiles;
  int mostOpenFiles;

  /** The machine has crashed. */
  static final class Crashed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final class Content {
    byte[] now = new byte[0];
    byte[] durable = new byte[0];
    final List<Change> changes = new ArrayList<>();
  }

  /** A write, or a resize if there are no bytes. */
  private record Change(long position, byte[] bytes, long size) {}

  private void effect(String what) {
    effects++;
    if (effects >= crashAt) {
      throw new Crashed();
    }
    if (effects == fullAt) {
      throw new DiskFullException("cannot " + what + ": no space left (on purpose)");
    }
  }

  /** Chooses what the machine finds after the crash. */
  void crash(RandomGenerator random) {
    crashAt = Integer.MAX_VALUE;
    fullAt = Integer.MAX_VALUE;
    syncsFail = false;
    boot++;
    openFiles = 0;
    int kept = random.nextInt(nameChanges.size() + 1);
    if (kept > 0) {
      durableNames = nameChanges.get(kept - 1);
    }
    nameChanges.clear();
    names.clear();
    names.putAll(durableNames);
    for (Content content : names.values()) {
      settle(content, random);
    }
  }

  private static void settle(Content content, RandomGenerator random) {
    byte[] bytes = content.durable;
    for (Change change : content.changes) {
      int luck = random.nextInt(4);
      if (luck == 0) {
        continue;
      }
      int length = luck == 1 ? random.nextInt(change.bytes.length + 1) : change.bytes.length;
      int skipped = luck == 2 ? random.nextInt(length + 1) / 512 * 512 : 0;
      bytes = apply(bytes, change, skipped, length);
    }
    content.changes.clear();
    content.now = bytes;
    content.durable = bytes.clone();
  }

  private static byte[] apply(byte[] before, Change change, int from, int to) {
    if (change.size >= 0) {
      return Arrays.copyOf(before, (int) change.size);
    }
    byte[] after = before;
    if (to > from) {
      after = Arrays.copyOf(before, (int) Math.max(before.length, change.position + to));
      System.arraycopy(change.bytes, from, after, (int) change.position + from, to - from);
    }
    return after;
  }

  /** Ends the process, but not the machine: everything written stays. */
  public void killProcess() {
    crashAt = Integer.MAX_VALUE;
    boot++;
    openFiles = 0;
  }

  public void flip(String name, long offset, int bit) {
    Content content = names.get(name);
    content.now[(int) offset] ^= (byte) (1 << bit);
    content.durable = content.now.clone();
    content.changes.clear();
  }

  public void cut(String name, long size) {
    Content content = names.get(name);
    content.now = Arrays.copyOf(content.now, (int) size);
    content.durable = content.now.clone();
    content.changes.clear();
  }

  public void append(String name, byte[] garbage) {
    Content content = names.get(name);
    int before = content.now.length;
    cut(name, before + garbage.length);
    System.arraycopy(garbage, 0, content.now, before, garbage.length);
    content.durable = content.now.clone();
  }

  public byte[] bytesOf(String name) {
    return names.get(name).now.clone();
  }

  long usedBytes() {
    return names.values().stream().mapToLong(content -> content.now.length).sum();
  }

  public List<String> logFiles() {
    return list().stream().filter(LogFileName::isName).toList();
  }

  /** Returns another disk with the same content. */
  FaultDisk copy() {
    FaultDisk other = new FaultDisk();
    names.forEach(
        (name, content) -> {
          Content same = new Content();
          same.now = content.now.clone();
          same.durable = content.now.clone();
          other.names.put(name, same);
        });
    other.durableNames = new TreeMap<>(other.names);
    return other;
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public DiskFile create(String name) {
    effect("create " + name);
    if (names.containsKey(name)) {
      throw new DiskException("cannot create " + name + ": it exists");
    }
    Content content = new Content();
    names.put(name, content);
    namesChanged();
    return new File(name, content);
  }

  @Override
  public DiskFile open(String name) {
    Content content = names.get(name);
    if (content == null) {
      throw new DiskException("cannot open " + name + ": no such file");
    }
    return new File(name, content);
  }

  @Override
  public void delete(String name) {
    effect("delete " + name);
    if (names.remove(name) != null) {
      namesChanged();
    }
  }

  @Override
  public void rename(String from, String to) {
    effect("rename " + from);
    names.put(to, names.remove(from));
    namesChanged();
  }

  private void namesChanged() {
    nameChanges.add(new TreeMap<>(names));
  }

  @Override
  public void syncNames() {
    effect("sync names");
    durableNames = new TreeMap<>(names);
    nameChanges.clear();
  }

  @Override
  public long freeBytes() {
    return Math.max(0, capacity - usedBytes());
  }

  @Override
  public String description() {
    return "the test disk";
  }

  @Override
  public void close() {}

  private final class File implements DiskFile {
    private final String name;
    private final Content content;
    private final int born = boot;
    private boolean closed;

    File(String name, Content content) {
      this.name = name;
      this.content = content;
      openFiles++;
      mostOpenFiles = Math.max(mostOpenFiles, openFiles);
    }

    private void check() {
      if (born != boot) {
        throw new Crashed();
      }
      if (closed) {
        throw new DiskException(name + " is closed");
      }
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() {
      return content.now.length;
    }

    @Override
    public int read(ByteBuffer into, long position) {
      check();
      int length = (int) Math.clamp(content.now.length - position, 0L, (long) into.remaining());
      into.put(content.now, length == 0 ? 0 : (int) position, length);
      bytesRead += length;
      reads++;
      return length;
    }

    @Override
    public void write(ByteBuffer[] from, long position) {
      check();
      int length = 0;
      for (ByteBuffer buffer : from) {
        length += buffer.remaining();
      }
      byte[] bytes = new byte[length];
      ByteBuffer all = ByteBuffer.wrap(bytes);
      for (ByteBuffer buffer : from) {
        all.put(buffer);
      }
      effect("write " + name);
      long growth = Math.max(0, position + length - content.now.length);
      boolean fits = growth <= freeBytes();
      if (!fits) {
        length = (int) Math.max(0, Math.min(length, content.now.length + freeBytes() - position));
        bytes = Arrays.copyOf(bytes, length);
      }
      Change change = new Change(position, bytes, -1);
      content.changes.add(change);
      content.now = apply(content.now, change, 0, length);
      if (!fits) {
        throw new DiskFullException("cannot write to " + name + ": no space left");
      }
    }

    @Override
    public void resize(long size) {
      check();
      effect("resize " + name);
      Change change = new Change(0, new byte[0], size);
      content.changes.add(change);
      content.now = apply(content.now, change, 0, 0);
    }

    @Override
    public void sync() {
      check();
      effect("sync " + name);
      if (syncsFail) {
        throw new DiskException("cannot sync " + name + ": input/output error");
      }
      content.durable = content.now.clone();
      content.changes.clear();
    }

    @Override
    public void close() {
      if (!closed && born == boot) {
        openFiles--;
      }
      closed = true;
    }
  }
}
