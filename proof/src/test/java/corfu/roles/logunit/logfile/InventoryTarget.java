package corfu.roles.logunit.logfile;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.roles.TwinFiles;
import corfu.world.Disk;
import corfu.world.MemoryDisk;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A log unit's file {@code inventory}. The first byte says whether the rest is the whole file, or
 * the content of an intact file.
 */
public final class InventoryTarget implements FuzzTarget {

  private static final long MAGIC = 0x564e4955_46524f43L;
  private static final int VERSION = 1;

  @Override
  public String name() {
    return "inventory";
  }

  @Override
  public List<byte[]> seeds() {
    Disk disk = new MemoryDisk();
    new Inventory(disk).write(List.of(new Inventory.Item(3, 4096), new Inventory.Item(4, 0)));
    return List.of(
        Bytes.behind(0, TwinFiles.bytesOf(disk, Inventory.NAME)),
        Bytes.behind(1, new byte[32]),
        Bytes.behind(1, new byte[0]));
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = Bytes.from(input, 1);
    boolean isContent = input.length > 0 && (input[0] & 1) != 0;
    Disk disk =
        isContent
            ? TwinFiles.intact(Inventory.NAME, MAGIC, VERSION, bytes)
            : TwinFiles.raw(Inventory.NAME, bytes);
    Inventory inventory = new Inventory(disk);
    List<Inventory.Item> items = inventory.read();
    inventory.write(items);
    Bytes.same(items, new Inventory(disk).read(), "read again");
  }

  /** The disk allocates memory in large pieces. */
  @Override
  public long allowedBytes() {
    return 4 << 20;
  }

  @Override
  public long allowedBytesForEach() {
    return 4_096;
  }
}
