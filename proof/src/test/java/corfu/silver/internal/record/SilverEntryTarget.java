package corfu.silver.internal.record;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.silver.Hop;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.InodeChange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The entries of files and directories, and their effect on a node that does not exist yet. */
public final class SilverEntryTarget implements FuzzTarget {

  private static final Address HERE = new Address(7);
  private static final Stamp STAMP = new Stamp(new Timestamp(1_700_000_000, 5_000_000), 1000);
  private static final StreamId STREAM = new StreamId(1, -2);
  private static final NodeId NODE =
      NodeId.of(STREAM, List.of(new Hop(new StreamId(3, 4), 5), new Hop(new StreamId(6, 7), 8)));
  private static final FileName NAME = FileName.of("name");
  private static final FileName OTHER = FileName.of("näme");
  private static final byte[] BYTES = {1, 2, 3};

  @Override
  public String name() {
    return "silver-entry";
  }

  @Override
  public List<byte[]> seeds() {
    NewNode state = new NewNode(FileMode.REGULAR | 0644, 1, 2, 3, BYTES, Map.of(NAME, BYTES));
    Child child = new Child(NODE, FileMode.REGULAR);
    Child directory = new Child(NodeId.of(STREAM), FileMode.DIRECTORY);
    return Stream.<SilverRecord>of(
            new SilverRecord.Make(STREAM, state),
            new SilverRecord.Create(NODE, NAME, STREAM, state),
            new SilverRecord.Link(NODE, NAME, child),
            new SilverRecord.Clone(NODE, NAME, child),
            new SilverRecord.Unlink(NODE, NAME, NODE, FileMode.DIRECTORY),
            new SilverRecord.Rename(NODE, NAME, NODE, OTHER, child, Optional.empty()),
            new SilverRecord.Rename(NODE, NAME, NODE, OTHER, child, Optional.of(directory)),
            new SilverRecord.Exchange(NODE, NAME, NODE, OTHER, child, directory),
            new SilverRecord.SetAttributes(
                OptionalInt.of(0600),
                OptionalInt.empty(),
                OptionalInt.of(-1),
                Optional.empty(),
                Optional.of(new Timestamp(1, 2))),
            new SilverRecord.SetExtendedAttribute(NAME, Optional.empty(), OptionalInt.empty()),
            new SilverRecord.SetExtendedAttribute(NAME, Optional.of(BYTES), OptionalInt.empty()),
            new SilverRecord.SetExtendedAttribute(NAME, Optional.of(BYTES), OptionalInt.of(0640)),
            new SilverRecord.Forget(4711),
            new SilverRecord.WriteInline(9, BYTES),
            new SilverRecord.ResizeInline(4096))
        .map(record -> Bytes.of(SilverCodec.encode(STAMP, record)))
        .toList();
  }

  @Override
  public void run(byte[] input) {
    SilverCodec.Decoded decoded;
    try {
      decoded = SilverCodec.decode(HERE, ByteBuffer.wrap(input));
    } catch (DamagedEntryException refused) {
      return;
    }
    if (decoded.record() instanceof SilverRecord.Spill) {
      return; // the data stream's format
    }
    ByteBuffer written = SilverCodec.encode(decoded.stamp(), decoded.record());
    SilverCodec.Decoded again = SilverCodec.decode(HERE, written.duplicate());
    Bytes.same(written, SilverCodec.encode(again.stamp(), again.record()), "written again");
    try {
      var unused = InodeChange.apply(STREAM, Optional.empty(), HERE, decoded);
    } catch (DamagedEntryException unfit) {
      // most entries need the node to exist
    }
  }
}
