package corfu.access.audit;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Records of the audit log as bytes. */
class AuditCodecProperties {

  private static AuditRecord record(Random random) {
    List<AuditRecord.Timed> events = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      events.add(new AuditRecord.Timed(random.nextLong(), event(random)));
    }
    return new AuditRecord(
        RecordHash.of(ByteBuffer.wrap(new byte[] {(byte) random.nextInt()})),
        "n" + random.nextInt(9),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        events);
  }

  private static AuditEvent event(Random random) {
    Permission[] permissions = Permission.values();
    boolean isOfStream = random.nextBoolean();
    return new AuditEvent(
        AuditEvent.Kind.values()[random.nextInt(3)],
        new Identity("spiffe://prod/Łódź/" + random.nextInt(9)),
        "10.0.0." + random.nextInt(99),
        "Write",
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(permissions[random.nextInt(permissions.length)]),
        isOfStream ? Optional.of(StreamId.named("s" + random.nextInt(9))) : Optional.empty(),
        "é".repeat(random.nextInt(AuditEvent.MOST_CHARS)),
        random.nextLong(1, Long.MAX_VALUE),
        isOfStream ? "s" : "");
  }

  @Property(tries = 500)
  void aRecordComesBack(@ForAll long seed) {
    AuditRecord record = record(new Random(seed));
    ByteBuffer bytes = AuditCodec.encode(record);
    int size = 0;
    for (AuditRecord.Timed timed : record.events()) {
      size += AuditCodec.size(timed.event());
    }
    AuditRecord without =
        new AuditRecord(record.previous(), record.server(), 0, 0, 0, 0, List.of());

    assertThat(AuditCodec.decode(bytes)).isEqualTo(record);
    assertThat(bytes.remaining()).isEqualTo(AuditCodec.encode(without).remaining() + size);
  }

  @Property(tries = 500)
  void alteredBytesAreAnotherRecordOrNone(@ForAll long seed) {
    Random random = new Random(seed);
    AuditRecord record = record(random);
    ByteBuffer bytes = AuditCodec.encode(record);
    byte[] altered = new byte[bytes.remaining()];
    bytes.get(0, altered);
    altered[random.nextInt(altered.length)] ^= (byte) random.nextInt(1, 256);

    try {
      assertThat(AuditCodec.decode(ByteBuffer.wrap(altered))).isNotEqualTo(record);
    } catch (DamagedAuditException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
    }
  }
}
