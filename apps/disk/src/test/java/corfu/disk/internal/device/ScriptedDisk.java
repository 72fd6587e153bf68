package corfu.disk.internal.device;

import corfu.disk.DiskOptions;
import corfu.disk.internal.cache.BlockCache;
import corfu.nbd.BlockDevice;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A small disk over a {@link ScriptedLog}. */
final class ScriptedDisk {

  static final int SIZE = 1 << 20;
  static final int BLOCK = 4096;
  static final int ENTRY = 64 << 10;
  static final Duration LIMIT = Duration.ofSeconds(30);
  static final Duration PAUSE = Duration.ofSeconds(1);
  static final DiskOptions OPTIONS =
      DiskOptions.DEFAULT.withEntryBytes(ENTRY).withEntriesInFlight(2).withOutage(LIMIT, PAUSE);

  final HandWorld world = new HandWorld();
  final ScriptedLog log = new ScriptedLog(SIZE);
  final SharedDisk disk;
  final BlockDevice device;

  ScriptedDisk() {
    this(OPTIONS);
  }

  ScriptedDisk(DiskOptions options) {
    disk =
        new SharedDisk(
            world, log, options, new Facts(), new BlockCache(options.cacheBytes()).open());
    device = open();
  }

  /** Returns the device of another connection. */
  BlockDevice open() {
    return new DiskHandle(
        disk,
        new DiskHandle.Uses() {
          @Override
          public void onResize(DiskHandle handle, LongConsumer receiver) {}

          @Override
          public void hasClosed(DiskHandle handle) {}
        });
  }

  static ByteBuffer filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  /** The disk is a clone of a clone: at versions 2 and 1. */
  private final class Facts implements DeviceFacts {

    @Override
    public String name() {
      return "scripted";
    }

    @Override
    public int blockBytes() {
      return BLOCK;
    }

    @Override
    public long sizeBytes() {
      return SIZE;
    }

    @Override
    public List<Address> originVersions() {
      return List.of(new Address(2), new Address(1));
    }

    @Override
    public List<String> snapshots() {
      return List.of("monday");
    }

    @Override
    public Optional<Address> version(String text) {
      return text.equals("monday") ? Optional.of(new Address(0)) : Optional.empty();
    }

    @Override
    public DiskContent at(Address version) {
      return new ScriptedLog(SIZE).content();
    }
  }
}
