package corfu.proof.fuzz;

import corfu.bytes.internal.record.BytesRecordTarget;
import corfu.nbd.internal.session.NbdSessionTarget;
import corfu.objects.internal.checkpoint.CheckpointBytesTarget;
import corfu.objects.tango.TangoRecordTarget;
import corfu.pki.PkiTextTarget;
import corfu.roles.layout.LayoutFileTarget;
import corfu.roles.layout.WitnessFileTarget;
import corfu.roles.logunit.LogFileTarget;
import corfu.roles.logunit.compressed.CompressedFileTarget;
import corfu.roles.logunit.logfile.InventoryTarget;
import corfu.roles.logunit.membership.EpochFileTarget;
import corfu.silver.internal.member.MemberTarget;
import corfu.silver.internal.record.SilverEntryTarget;
import corfu.silver.lock.internal.command.LockCommandTarget;
import corfu.silver.lock.internal.machine.LockStateTarget;
import corfu.smr.BatchTarget;
import corfu.smr.SmrCheckpointTarget;
import corfu.store.StoreCommandTarget;
import corfu.store.StoreIndexTarget;
import corfu.store.http.StoreJsonTarget;
import corfu.transport.tls.PeerCertificateTarget;
import java.util.List;

/** The list of all targets. */
final class Targets {

  /** A new target goes to the end: stored inputs refer to a target's index. */
  static final List<FuzzTarget> ALL =
      List.of(
          new FrameTarget(),
          new EntryTarget(),
          new LayoutTarget(),
          new EpochFileTarget(),
          new LayoutFileTarget(),
          new LogFileTarget(),
          new RecordTarget(),
          new ValuesTarget(),
          new CheckpointBytesTarget(),
          new ViewCallTarget(),
          new ViewAnswerTarget(),
          new TangoRecordTarget(),
          new BatchTarget(),
          new SmrCheckpointTarget(),
          new StoreCommandTarget(),
          new StoreIndexTarget(),
          new StoreJsonTarget(),
          new InventoryTarget(),
          new WitnessFileTarget(),
          new SilverEntryTarget(),
          new MemberTarget(),
          new LockCommandTarget(),
          new LockStateTarget(),
          new CompressedFileTarget(),
          new NbdSessionTarget(),
          new BytesRecordTarget(),
          new PkiTextTarget(),
          new PolicyChangeTarget(),
          new PolicyTarget(),
          new AuditRecordTarget(),
          new PeerCertificateTarget());

  private Targets() {}

  static FuzzTarget named(String name) {
    return ALL.stream()
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no target "
                        + name
                        + ", but "
                        + ALL.stream().map(FuzzTarget::name).toList()));
  }
}
