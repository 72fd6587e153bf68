package corfu.example;

import static corfu.fuse.protocol.FileLock.Type.WRITE;
import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.bytes.ArrayWriter;
import corfu.bytes.BytesStore;
import corfu.bytes.BytesView;
import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.bytes.ReclaimOptions;
import corfu.bytes.SpaceReclaimer;
import corfu.bytes.VersionedBytes;
import corfu.bytes.WriteOutcome.Fenced;
import corfu.bytes.WriteOutcome.Written;
import corfu.fuse.FileSystem;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import corfu.fuse.mount.MountOptions;
import corfu.fuse.protocol.FileLock;
import corfu.mirror.Mirror;
import corfu.mirror.MirrorOptions;
import corfu.mirror.MirrorStatus;
import corfu.mirror.Promotion;
import corfu.objects.CheckpointPolicy;
import corfu.objects.History;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.pki.CertificateAuthority;
import corfu.pki.IssuedCertificate;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Subscription;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.LockOptions;
import corfu.silver.lock.LostLock;
import corfu.silver.lock.MountLocks;
import corfu.smr.Command;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachine;
import corfu.smr.StateMachineReplica;
import corfu.store.Changes;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import corfu.store.StoreSnapshot;
import corfu.store.Versioned;
import corfu.store.WriteOutcome;
import corfu.transport.Transport;
import corfu.transport.tls.TlsOptions;
import corfu.world.World;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The pieces of code on our pages that are no whole programs: so that they compile. */
final class Snippets {

  private Snippets() {}

  static Subscription subscribing(LogStream orders) {
    Subscription subscription =
        orders.subscribe(StreamAddress.ZERO, entry -> System.out.println(entry.text()));
    return subscription;
  }

  static ReplicatedObjects keepingAWeek(Corfu client) {
    ObjectOptions options =
        ObjectOptions.DEFAULT.withCheckpoints(
            CheckpointPolicy.DEFAULT
                .withEveryUpdates(10_000)
                .withHistory(History.ofTime(Duration.ofDays(7)))); // or ofAddresses, from, FOR_EVER
    ReplicatedObjects objects = ReplicatedObjects.over(client, options);
    return objects;
  }

  static void storing(Corfu client, byte[] ten, byte[] nine, byte[] five) {
    try (KeyValueStore store = KeyValueStore.open(client, "stock", StoreOptions.DEFAULT)) {
      store.write(new Changes().put("pens", ten).put("books", five)); // both, or none
      StoreSnapshot before = store.snapshot();
      Versioned pens = store.get("pens").orElseThrow();
      WriteOutcome outcome =
          store.write(new Changes().put("pens", nine).expect("pens", pens.version()));
      switch (outcome) {
        case WriteOutcome.Written written -> System.out.println("at " + written.version());
        case WriteOutcome.Conflict conflict -> System.out.println("not: " + conflict);
      }
      System.out.println(before.get("pens").orElseThrow().text()); // still ten
    }
  }

  static final class Visits implements StateMachine {
    private long count;

    @Override
    public byte[] apply(Command command) { // the same everywhere: no clock, no chance
      count += UTF_8.decode(command.body()).length();
      return Long.toString(count).getBytes(UTF_8);
    }

    @Override
    public Saved save() {
      long now = count;
      return out -> out.writeLong(now);
    }

    @Override
    public void load(DataInput in) throws IOException {
      count = in.readLong();
    }
  }

  static void visiting(Corfu client) {
    try (StateMachineReplica<Visits> visits =
        StateMachineReplica.open(client, "visits", Visits::new, SmrOptions.DEFAULT)) {
      byte[] answer = visits.submit("xxx".getBytes(UTF_8)); // carried out everywhere, once
      long now = visits.read(machine -> machine.count); // sees all that was answered before
      Address checkpoint = visits.checkpoint();
      long then = visits.at(checkpoint).count; // a machine of its own, as it was
      visits.forget(checkpoint); // what is older is given up
    }
  }

  static void versioning(Corfu client, byte[] boot, byte[] tail, ByteBuffer note) {
    BytesStore store = BytesStore.over(client);
    VersionedBytes disk = store.open(StreamId.named("disk"));
    Address before = disk.write(0, ByteBuffer.wrap(boot));
    disk.punch(512, 4096, note);
    disk.append(ByteBuffer.wrap(tail), note);
    disk.truncate(1 << 20, note);
    ByteBuffer now = disk.read(0, 512); // sees every change that had returned
    ByteBuffer then = disk.at(before).read(0, 512); // as it was
    store.clone(disk.id(), before, StreamId.named("copy"), note);
    disk.copyRange(disk.at(before), 0, 512, 4096, note); // shares the bytes
  }

  static void writingAlone(
      BytesStore store, StreamId disk, ByteBuffer owner, ByteBuffer block, ByteBuffer note) {
    ArrayWriter writer = ArrayWriter.takeOver(store.open(disk), owner);
    writer.onFenced(successor -> stop());
    List<RangeChange> changes =
        List.of(new RangeChange.Write(0, block), new RangeChange.Punch(4096, 4096));
    switch (writer.append(changes, note).join()) {
      case Written(Address version) -> answer(version);
      case Fenced(Owner by) -> stop(); // nothing was changed
    }
    ByteBuffer mine = writer.view().read(0, 4096); // asks nobody for the newest version
    writer.release();
  }

  private static void answer(Address version) {}

  private static void stop() {}

  static void reclaiming(ArrayWriter writer, List<Address> snapshots) {
    SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, ReclaimOptions.DEFAULT, snapshots);
    reclaimer.start();
    BytesView snapshot = reclaimer.pinNewest(); // stays until it is not pinned any more
    reclaimer.pin(List.of());
  }

  static void locking(
      Corfu corfu, StreamId fileSystem, StreamId file, long owner, int pid, FileLock lock) {
    MountLocks locks =
        MountLocks.open(corfu, fileSystem, LockOptions.DEFAULT, lost -> failHandles(lost));
    locks.set(file, LockKind.BYTE_RANGE, owner, new FileLock(WRITE, 0, 99, pid), true); // a future
    locks.get(file, LockKind.BYTE_RANGE, owner, lock); // a lock that conflicts, as GETLK returns it
    locks.holds(file, LockKind.BYTE_RANGE, owner); // before I/O that relies on a lock
    locks.release(file, LockKind.BYTE_RANGE, owner); // at close
  }

  private static void failHandles(List<LostLock> lost) {}

  static void mounting(World world, FileSystem fileSystem, Path directory) throws MountException {
    try (var mount = FuseMount.mount(world, fileSystem, directory, MountOptions.of("name"))) {
      mount.end().join();
    }
  }

  static void mirroring(
      World world, Transport transport, Corfu source, Corfu target, AtomicBoolean stopped) {
    Reconfiguration changes =
        new Reconfiguration(world, transport, Duration.ofSeconds(2), Duration.ofSeconds(5));
    Mirror mirror = Mirror.open(source, target, changes, MirrorOptions.DEFAULT);
    mirror.run(() -> !stopped.get(), trouble -> System.err.println(trouble.getMessage()));
    MirrorStatus status = mirror.status(); // lag, and whether it is complete
    Address own = new Promotion(target, changes).unlessTheSourceLives(Optional.of(source));
  }

  static void certifying(World world, Path directory) {
    CertificateAuthority authority =
        CertificateAuthority.create(
            directory, "prod", CertificateAuthority.DEFAULT_VALIDITY, world);
    IssuedCertificate server = authority.issueServer("n1", List.of("localhost", "127.0.0.1"));
    Path certificateAndKey = server.file(); // renewed in place by authority.renew("n1")
    Path trusted = authority.caFile();
  }

  static void encryption() {
    TlsOptions tls = TlsOptions.mutual(Path.of("app.pem"), Path.of("app.pem"), Path.of("ca.pem"));
    Corfu client = Corfu.connect("host:9000", options -> options.withTls(tls));
  }

  private static class Account {
    void withdraw(long amount) {}

    void deposit(long amount) {}
  }

  static void transfer(ReplicatedObjects objects, Account bob) {
    Account alice = objects.open("alice", Account.class); // an annotated class of yours
    objects.transact( // both, or none, whatever fails and whoever else is at work
        () -> {
          alice.withdraw(30);
          bob.deposit(30);
        });
  }
}
