package corfu.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

/** Changes and policies as bytes, and the order of changes. */
class PolicyProperties {

  private static final List<String> IDENTITIES =
      List.of("spiffe://prod/a", "spiffe://prod/b", "spiffe://test/a", "CN=c", "anonymous");
  private static final List<String> SUBJECTS =
      List.of("spiffe://prod/a", "spiffe://prod*", "*", "CN=c", "anonymous", "role:r", "role:s");
  private static final List<String> STREAMS =
      List.of(
          "orders.1",
          "orders.*",
          "*",
          "name:id:x",
          "id:" + StreamId.named("users"),
          "id:8/1",
          "id:3f2a9c00/32",
          "id:3f2a9c0012345678abcdef/88");

  private static <T> T oneOf(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private static Grant grant(Random random) {
    Permission permission = oneOf(List.of(Permission.values()), random);
    return new Grant(
        Subject.parse(oneOf(SUBJECTS, random)),
        permission,
        permission.isForStreams() ? Target.parse(oneOf(STREAMS, random)) : Target.Whole.WHOLE);
  }

  private static AccessRole role(Random random) {
    List<Subject> members = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.add(Subject.parse(oneOf(SUBJECTS.subList(0, 5), random)));
    }
    return new AccessRole(oneOf(List.of("r", "s"), random), members);
  }

  private static Quota quota(Random random) {
    return new Quota(
        random.nextLong(1, 1 << 20),
        Quota.NO_LIMIT,
        random.nextInt(9),
        random.nextInt(1 << 20),
        Quota.NO_LIMIT,
        random.nextLong(1, 100));
  }

  private static PolicyChange change(Random random) {
    PolicyCommand command =
        switch (random.nextInt(9)) {
          case 0 -> new PolicyCommand.SetRole(role(random));
          case 1 -> new PolicyCommand.RemoveRole(oneOf(List.of("r", "s"), random));
          case 2 ->
              new PolicyCommand.SetQuota(Subject.parse(oneOf(SUBJECTS, random)), quota(random));
          case 3 -> new PolicyCommand.RemoveQuota(Subject.parse(oneOf(SUBJECTS, random)));
          case 4, 5, 6 -> new PolicyCommand.Give(grant(random));
          default -> new PolicyCommand.Revoke(grant(random));
        };
    return new PolicyChange(new Identity(oneOf(IDENTITIES, random)), command);
  }

  @Property(tries = 500)
  void aChangeComesBack(@ForAll long seed) {
    PolicyChange change = change(new Random(seed));
    assertThat(PolicyCodec.decodeChange(PolicyCodec.encode(change))).isEqualTo(change);
  }

  @Property(tries = 500)
  void anAlteredChangeIsRefusedAndChangesNothing(@ForAll long seed) {
    Random random = new Random(seed);
    ByteBuffer bytes = PolicyCodec.encode(change(random));
    byte[] altered = new byte[bytes.remaining() + random.nextInt(-1, 2)];
    bytes.get(0, altered, 0, Math.min(altered.length, bytes.remaining()));
    if (altered.length == bytes.remaining()) {
      altered[random.nextInt(altered.length)] ^= (byte) random.nextInt(1, 256);
    }
    PolicyMachine machine = new PolicyMachine();

    assertThatExceptionOfType(DamagedPolicyException.class)
        .isThrownBy(() -> PolicyCodec.decodeChange(ByteBuffer.wrap(altered)));
    assertThat(machine.apply(ByteBuffer.wrap(altered), 7))
        .isInstanceOf(PolicyOutcome.Refused.class);
    assertThat(machine.policy()).isEqualTo(AccessPolicy.EMPTY.at(8));
  }

  @Property(tries = 200)
  void allReplicasAgreeAlsoAfterACheckpoint(@ForAll long seed) {
    Random random = new Random(seed);
    PolicyMachine one = new PolicyMachine();
    PolicyMachine other = new PolicyMachine();
    for (int address = 0; address < 40; address++) {
      ByteBuffer change = PolicyCodec.encode(change(random));
      PolicyOutcome outcome = one.apply(change, address);
      assertThat(other.apply(change, address)).isEqualTo(outcome);
      if (random.nextInt(10) == 0) {
        other = PolicyMachine.load(other.save());
      }
      assertThat(other.policy()).isEqualTo(one.policy());
      assertThat(one.policy().version()).isEqualTo(address + 1);
    }
  }

  /** A replica that begins behind trimmed changes learns all of them from the snapshot. */
  @Property(tries = 300)
  void aReplicaThatBeginsAtASnapshotAgrees(@ForAll long seed) {
    Random random = new Random(seed);
    PolicyMachine whole = new PolicyMachine();
    List<ByteBuffer> entries = new ArrayList<>();
    AccessPolicy known = whole.policy();
    for (int address = 0; address < 60; address++) {
      if (random.nextInt(4) == 0) {
        known = whole.policy(); // a writer of snapshots looks; changes may come before its entry
      }
      PolicyCommand command =
          random.nextInt(6) == 0 ? new PolicyCommand.Snapshot(known) : change(random).command();
      ByteBuffer entry =
          PolicyCodec.encode(new PolicyChange(new Identity(oneOf(IDENTITIES, random)), command));
      assertThat(PolicyCodec.decodeChange(entry).command()).isEqualTo(command);
      AccessPolicy before = whole.policy();
      var unused = whole.apply(entry, address);
      if (command instanceof PolicyCommand.Snapshot) {
        assertThat(whole.policy()).isEqualTo(before.at(address + 1));
      }
      entries.add(entry);
    }
    long oldest = Math.min(whole.neededFrom(), entries.size());
    PolicyMachine late = new PolicyMachine();
    for (int address = (int) random.nextLong(oldest + 1); address < entries.size(); address++) {
      var unused = late.apply(entries.get(address), address);
    }
    assertThat(late.policy()).isEqualTo(whole.policy());
    assertThat(late.neededFrom()).isEqualTo(whole.neededFrom());
  }

  @Property(tries = 200)
  void anAlteredCheckpointIsRefused(@ForAll long seed) {
    Random random = new Random(seed);
    PolicyMachine machine = machine(random);
    ByteBuffer saved = machine.save();
    byte[] altered = new byte[saved.remaining()];
    saved.get(0, altered);
    altered[random.nextInt(altered.length)] ^= (byte) random.nextInt(1, 256);
    assertThatExceptionOfType(DamagedPolicyException.class)
        .isThrownBy(() -> PolicyMachine.load(ByteBuffer.wrap(altered)));
  }

  private static PolicyMachine machine(Random random) {
    PolicyMachine machine = new PolicyMachine();
    for (int address = 0; address < 30; address++) {
      var unused = machine.apply(change(random), address);
    }
    return machine;
  }

  /** The compiled rights allow exactly what some grant says. */
  @Property(tries = 300)
  void rightsAreThoseOfTheGrants(@ForAll long seed) {
    Random random = new Random(seed);
    AccessPolicy policy = machine(random).policy();
    for (String name : IDENTITIES) {
      Identity identity = new Identity(name);
      for (String stream : List.of("orders.1", "users", "id:x")) {
        for (Permission permission : Permission.values()) {
          AccessDecision decision =
              permission.isForStreams()
                  ? policy.decide(identity, permission, StreamId.named(stream), Optional.of(stream))
                  : policy.decide(identity, permission);
          assertThat(decision.isAllowed())
              .as("%s %s %s by %s", name, permission, stream, policy.grants())
              .isEqualTo(isGranted(policy, identity, permission, stream));
        }
      }
    }
  }

  private static boolean isGranted(
      AccessPolicy policy, Identity identity, Permission permission, String stream) {
    for (Grant grant : policy.grants()) {
      boolean isAll = grant.permission() == Permission.ADMINISTER;
      boolean isReadOfAll =
          grant.permission() == Permission.READ_LOG && permission == Permission.READ;
      boolean isIt =
          grant.permission() == permission
              && (!permission.isForStreams() || has(grant.target(), stream));
      if ((isAll || isReadOfAll || isIt) && has(policy, grant.subject(), identity)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(Target target, String stream) {
    StreamId id = StreamId.named(stream);
    return switch (target) {
      case Target.AllStreams all -> true;
      case Target.Named named -> named.name().equals(stream);
      case Target.NamePrefix prefix -> stream.startsWith(prefix.prefix());
      case Target.Id one -> one.id().equals(id);
      case Target.IdPrefix prefix -> prefix.matches(id);
      case Target.Whole whole -> false;
    };
  }

  private static boolean has(AccessPolicy policy, Subject subject, Identity identity) {
    return subject instanceof Subject.RoleName role
        ? policy.roles().containsKey(role.name())
            && policy.roles().get(role.name()).members().stream()
                .anyMatch(member -> member.matches(identity))
        : subject.matches(identity);
  }
}
