package corfu.silver.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import corfu.silver.DamagedEntryException;
import corfu.silver.internal.node.Trust;
import corfu.world.ProcessIdentity;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MembershipTest {

  private static final StreamId STREAM = StreamId.named("members");
  private static final ProcessIdentity HERE = ProcessIdentity.current();

  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Streams streams;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    streams = Streams.over(corfu);
  }

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private Membership membership(long id) {
    Member self = new Member(new StreamId(1, id), HERE);
    return new Membership(cluster.world(), streams, STREAM, self);
  }

  private boolean looks(Membership membership) {
    return membership.look(() -> corfu.log().tail().value());
  }

  private void joins(Member member) {
    var unused =
        streams.open(STREAM).append(new MemberRecord(MemberRecord.Kind.JOINS, member).encode());
  }

  @Test
  void aLoneMemberTrustsItsMemoryUntilAnotherJoins() {
    Membership first = membership(1);
    Membership second = membership(2);
    assertThat(first.since()).isEqualTo(Long.MAX_VALUE);
    assertThat(looks(first)).isTrue();
    assertThat(first.since()).isLessThanOrEqualTo(corfu.log().tail().value());

    assertThat(second.<Boolean>change(() -> true)).isTrue();

    assertThat(first.since()).as("the joiner has waited for a lease").isEqualTo(Long.MAX_VALUE);
    assertThat(looks(first)).isFalse();
    second.leave();
    assertThat(looks(first)).isTrue();
  }

  @Test
  void whatMemoryLearnedBeforeAVisitDoesNotCount() {
    Membership first = membership(1);
    Membership visitor = membership(2);
    assertThat(looks(first)).isTrue();
    long before = first.since();

    assertThat(visitor.<Boolean>change(() -> true)).isTrue();
    visitor.leave();

    assertThat(looks(first)).isTrue();
    assertThat(first.since()).isGreaterThan(before);
  }

  @Test
  void aDoubtEndsTrustUntilTheNextLook() {
    Membership first = membership(1);
    assertThat(looks(first)).isTrue();
    long before = first.since();
    Trust trust = first;

    trust.doubt();
    assertThat(first.since()).isEqualTo(Long.MAX_VALUE);
    assertThat(first.aloneNanos()).isZero();
    var unused = streams.open("other").append(ByteBuffer.allocate(1));

    assertThat(looks(first)).isTrue();
    assertThat(first.since()).isGreaterThan(before);
  }

  @Test
  void aMemberWhoseProcessHasEndedIsRemoved() {
    assumeFalse(HERE.machine().isEmpty(), "this platform does not tell which processes live");
    ProcessIdentity ended =
        new ProcessIdentity(HERE.machine(), HERE.number(), HERE.startTicks() - 1);
    joins(new Member(new StreamId(9, 9), ended));

    assertThat(looks(membership(1))).isTrue();
  }

  @Test
  void aMemberOfAnotherMachineStays() {
    joins(new Member(new StreamId(9, 9), new ProcessIdentity("elsewhere/pid", 1, 1)));

    assertThat(looks(membership(1))).isFalse();
  }

  @Test
  void aDamagedEntryIsReported() {
    Member member = new Member(new StreamId(1, 2), HERE);
    ByteBuffer whole = new MemberRecord(MemberRecord.Kind.LEAVES, member).encode();
    assertThat(MemberRecord.decode(new Address(3), whole).member()).isEqualTo(member);
    for (int length = 0; length < whole.limit(); length++) {
      ByteBuffer part = whole.slice(0, length);
      assertThatThrownBy(() -> MemberRecord.decode(new Address(3), part))
          .isInstanceOf(DamagedEntryException.class)
          .hasMessageContaining("address 3");
    }
  }
}
