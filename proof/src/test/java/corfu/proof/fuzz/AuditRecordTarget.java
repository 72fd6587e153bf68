package corfu.proof.fuzz;

import corfu.access.audit.AuditChain;
import corfu.access.audit.AuditCodec;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditRecord;
import corfu.access.audit.DamagedAuditException;
import corfu.access.audit.RecordHash;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Records of the audit log. */
final class AuditRecordTarget implements FuzzTarget {

  @Override
  public String name() {
    return "audit-record";
  }

  @Override
  public List<byte[]> seeds() {
    AuditEvent refused =
        new AuditEvent(
            AuditEvent.Kind.REFUSED,
            new Identity("spiffe://prod/bob"),
            "10.0.0.7:1234",
            "NextInStreams",
            Optional.of(Permission.APPEND),
            Optional.of(StreamId.named("orders")),
            "",
            3,
            "orders");
    AuditEvent done =
        new AuditEvent(
            AuditEvent.Kind.DONE,
            Identity.ANONYMOUS,
            "",
            "Seal",
            Optional.empty(),
            Optional.empty(),
            "epoch 7",
            1);
    var events = List.of(new AuditRecord.Timed(7, refused), new AuditRecord.Timed(8, done));
    return List.of(
        Bytes.of(AuditCodec.encode(record(List.of()))),
        Bytes.of(AuditCodec.encode(record(events))));
  }

  private static AuditRecord record(List<AuditRecord.Timed> events) {
    return new AuditRecord(RecordHash.NONE, "n1", 77, 0, 9, 0, events);
  }

  @Override
  public void run(byte[] input) {
    AuditChain chain = AuditChain.fromBeginning();
    var unused = chain.add(0, ByteBuffer.wrap(input));
    AuditRecord record;
    try {
      record = AuditCodec.decode(ByteBuffer.wrap(input));
    } catch (DamagedAuditException refused) {
      return;
    }
    ByteBuffer written = AuditCodec.encode(record);
    Bytes.same(record, AuditCodec.decode(written), "decoded again");
    Bytes.same(written, ByteBuffer.wrap(input), "written again");
  }
}
