package corfu.access.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The chain of the audit log, and what it tells of. */
final class AuditChainTest {

  private static final int COUNT = 6;

  /** The place of the time in a record. */
  private static final int TIME = 49;

  /** Returns records of two servers in turn, as one chain. */
  private static List<ByteBuffer> chain() {
    List<ByteBuffer> records = new ArrayList<>();
    RecordHash previous = RecordHash.NONE;
    for (int i = 0; i < COUNT; i++) {
      ByteBuffer bytes = AuditCodec.encode(record(i % 2, i / 2, i).behind(previous));
      records.add(bytes);
      previous = RecordHash.of(bytes);
    }
    return records;
  }

  private static AuditRecord record(long life, long number, int millis) {
    return new AuditRecord(
        RecordHash.NONE,
        "n" + life,
        life,
        number,
        millis,
        0,
        List.of(new AuditRecord.Timed(millis, event())));
  }

  private static AuditEvent event() {
    return new AuditEvent(
        AuditEvent.Kind.REFUSED,
        new Identity("spiffe://prod/bob"),
        "10.0.0.7:1234",
        "NextInStreams",
        Optional.of(Permission.APPEND),
        Optional.of(StreamId.named("orders")),
        "",
        3,
        "orders");
  }

  private static long address(int index) {
    return 10L * index;
  }

  private static AuditAnchor anchor(List<ByteBuffer> records, int index) {
    return new AuditAnchor(address(index), RecordHash.of(records.get(index)));
  }

  private static List<Long> breaks(AuditChain chain, List<ByteBuffer> records, int from) {
    List<Long> found = new ArrayList<>();
    for (int i = from; i < records.size(); i++) {
      chain.add(address(i), records.get(i)).ifPresent(one -> found.add(one.address()));
    }
    chain.end().ifPresent(one -> found.add(one.address()));
    return found;
  }

  private static List<Long> breaks(List<ByteBuffer> records) {
    return breaks(AuditChain.fromBeginning(), records, 0);
  }

  @Test
  void anUntouchedLogIsOneChain() {
    AuditChain chain = AuditChain.fromBeginning();
    List<ByteBuffer> records = chain();

    assertThat(breaks(chain, records, 0)).isEmpty();
    assertThat(chain.newest()).contains(anchor(records, COUNT - 1));
    assertThat(chain.count()).isEqualTo(COUNT);
  }

  @Test
  void aChangedRecordIsFoundAtTheNextOne() {
    List<ByteBuffer> records = chain();
    byte[] changed = new byte[records.get(2).remaining()];
    records.get(2).get(0, changed);
    changed[TIME] ^= 1;
    records.set(2, ByteBuffer.wrap(changed));

    assertThat(breaks(records)).containsExactly(address(3));
  }

  @Test
  void aRemovedRecordIsFound() {
    List<ByteBuffer> records = chain();
    records.remove(2);

    assertThat(breaks(records)).contains(address(2));
  }

  @Test
  void recordsInAnotherOrderAreFound() {
    List<ByteBuffer> records = chain();
    ByteBuffer second = records.set(2, records.get(3));
    records.set(3, second);

    assertThat(breaks(records)).startsWith(address(2), address(3), address(4));
  }

  @Test
  void aRecordThatIsThereTwiceIsFound() {
    List<ByteBuffer> records = chain();
    records.add(3, records.get(2));

    assertThat(breaks(records)).startsWith(address(3));
  }

  @Test
  void anEventThatIsThereTwiceIsFoundInAnUnbrokenChain() {
    List<ByteBuffer> records = chain();
    RecordHash last = RecordHash.of(records.getLast());
    records.add(AuditCodec.encode(record(1, 2, 7).behind(last)));

    assertThat(breaks(records)).containsExactly(address(COUNT));
  }

  @Test
  void aForeignEntryIsFound() {
    List<ByteBuffer> records = chain();
    records.add(ByteBuffer.wrap(new byte[] {1, 2, 3}));

    assertThat(breaks(records)).containsExactly(address(COUNT));
  }

  @Test
  void aTrimmedBeginningIsNoBreak() {
    AuditChain chain = AuditChain.fromBeginning();
    chain.beginningIsTrimmed();

    assertThat(breaks(chain, chain(), 3)).isEmpty();
    assertThat(breaks(AuditChain.fromBeginning(), chain(), 3)).startsWith(address(3));
  }

  @Test
  void aChainThatBeginsAnewIsABreak() {
    AuditChain chain = AuditChain.fromBeginning();
    chain.beginningIsTrimmed();

    assertThat(breaks(chain, chain(), 0)).containsExactly(address(0));
  }

  @Test
  void aRecordOfAnEarlierCheckProvesThatTheNewestAreStillThere() {
    List<ByteBuffer> records = chain();
    AuditAnchor known = anchor(records, 3);

    assertThat(breaks(AuditChain.from(known), records, 0)).isEmpty();
    assertThat(breaks(AuditChain.from(known), records, 4)).as("trimmed behind it").isEmpty();
    assertThat(breaks(AuditChain.from(known), records, 5)).as("others trimmed").isNotEmpty();
    assertThat(breaks(AuditChain.from(known), records.subList(0, 3), 0))
        .as("the newest removed")
        .containsExactly(known.address());
    AuditAnchor other = new AuditAnchor(known.address(), RecordHash.NONE);
    assertThat(breaks(AuditChain.from(other), records, 0)).containsExactly(known.address());
    assertThat(AuditAnchor.parse(known.toString())).isEqualTo(known);
    assertThatThrownBy(() -> AuditAnchor.parse("17"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ADDRESS:HASH");
  }

  /** These bytes are in logs, and stay readable. */
  @Test
  void theBytesOfARecordStayAsTheyAre() {
    AuditRecord record =
        new AuditRecord(
            RecordHash.of(ByteBuffer.wrap(new byte[] {1})),
            "n1",
            0x0102030405060708L,
            9,
            1_764_000_000_000L,
            2,
            List.of(new AuditRecord.Timed(1_764_000_000_001L, event())));

    String golden =
        "014bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a0807060504"
            + "030201090000000000000000e897b69a010000020000000000000002006e310100000001e897"
            + "b69a0100000102011039780bed00c51287be46f2f06ab49f0300000000000000110073706966"
            + "66653a2f2f70726f642f626f620d0031302e302e302e373a313233340d004e657874496e5374"
            + "7265616d7306006f72646572730000";
    assertThat(HexFormat.of().formatHex(bytes(AuditCodec.encode(record)))).isEqualTo(golden);
    assertThat(AuditCodec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(golden))))
        .isEqualTo(record);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(0, bytes);
    return bytes;
  }

  @Test
  void longTextsAreCut() {
    AuditEvent event =
        new AuditEvent(
            AuditEvent.Kind.DONE,
            Identity.ANONYMOUS,
            "",
            "Write",
            Optional.empty(),
            Optional.empty(),
            "x".repeat(100_000),
            1);

    assertThat(event.detail()).hasSize(AuditEvent.MOST_CHARS).endsWith("...");
  }
}
