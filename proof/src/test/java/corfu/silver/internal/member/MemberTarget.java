package corfu.silver.internal.member;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.world.ProcessIdentity;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The entries of the list of clients that may change a file system. */
public final class MemberTarget implements FuzzTarget {

  private static final Address HERE = new Address(7);

  @Override
  public String name() {
    return "silver-member";
  }

  @Override
  public List<byte[]> seeds() {
    Member member = new Member(new StreamId(1, -2), new ProcessIdentity("machine-ä", 3, 4));
    return Arrays.stream(MemberRecord.Kind.values())
        .map(kind -> Bytes.of(new MemberRecord(kind, member).encode()))
        .toList();
  }

  @Override
  public void run(byte[] input) {
    MemberRecord record;
    try {
      record = MemberRecord.decode(HERE, ByteBuffer.wrap(input));
    } catch (DamagedEntryException refused) {
      return;
    }
    MemberRecord again = MemberRecord.decode(HERE, record.encode());
    Bytes.same(record, again, "written again");
  }
}
