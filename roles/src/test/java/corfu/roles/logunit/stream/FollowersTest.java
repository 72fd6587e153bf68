package corfu.roles.logunit.stream;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.Following;
import corfu.protocol.message.LogUnitReply.Heard;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.UnitDriver;
import corfu.roles.logunit.options.FollowerBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bounds of followers' costs. */
class FollowersTest {

  private static final Epoch EPOCH = new Epoch(1);
  private static final int ENTRY = entry(0, in(stream("a"), 0)).lengthBytes();

  private final UnitDriver.StillWorld world = new UnitDriver.StillWorld(1);
  private final Followers followers =
      new Followers(world, new FollowerBounds(2, 4, 3L * ENTRY, 4L * ENTRY), 1 << 20);

  private static StreamId stream(String name) {
    return StreamId.named(name);
  }

  private Object follow(long who, String... names) {
    List<StreamId> streams = Stream.of(names).map(StreamId::named).toList();
    return followers.follow(new LogUnitRequest.Follow(EPOCH, who, streams, List.of()));
  }

  private List<Reply> listen(long who) {
    List<Reply> replies = new ArrayList<>();
    followers.listen(new LogUnitRequest.Listen(EPOCH, who, 1 << 20), replies::add);
    return replies;
  }

  private Heard heard(long who) {
    return (Heard) listen(who).getFirst();
  }

  private void settled(String name, int from, int to) {
    for (int i = from; i < to; i++) {
      followers.settled(entry(i, in(stream(name), i)));
    }
  }

  private void passPatience() {
    world.nanos += LogUnitRequest.Listen.PATIENCE.toNanos() + 1;
  }

  @Test
  void moreFollowersThanThereIsRoomForFollowNothingUntilOthersHaveBeenSilentForLong() {
    follow(1, "a");
    follow(2, "a");
    assertThat(follow(3, "a")).isEqualTo(new Following(0));
    List<Reply> waits = listen(2);
    passPatience();

    assertThat(follow(3, "a")).isEqualTo(new Following(1));
    assertThat(waits).hasSize(1); // a listening follower always gets an answer
    assertThat(listen(1).getFirst()).isInstanceOf(Failure.NotServing.class);
  }

  @Test
  void allFollowersShareTheRoomForStreams() {
    assertThat(follow(1, "a", "b", "c")).isEqualTo(new Following(3));
    assertThat(follow(2, "a", "b")).isEqualTo(new Following(1));

    passPatience();
    assertThat(follow(2, "b")).isEqualTo(new Following(2));
  }

  @Test
  void aFollowerWhomThereIsPartialRoomForFollowsTheFirstOnesThatItNames() {
    follow(1, "a", "b");
    assertThat(follow(2, "c", "d", "e", "c")).isEqualTo(new Following(2));
    settled("c", 0, 1);
    settled("e", 1, 2);
    assertThat(heard(2).entries()).hasSize(1);

    passPatience();
    List<Reply> hears = listen(2); // meanwhile the other one has long been silent
    assertThat(follow(2, "e")).isEqualTo(new Following(3));
    settled("e", 2, 3);
    assertThat(hears).containsExactly(new Heard(false, List.of(entry(2, in(stream("e"), 2)))));
  }

  @Test
  void askingForAStreamTwiceCountsOnce() {
    follow(1, "a");
    assertThat(follow(1, "a", "b")).isEqualTo(new Following(2));
    settled("a", 0, 1);
    assertThat(heard(1).entries()).hasSize(1);
  }

  @Test
  void whatIsTooMuchForOneFollowerIsDroppedForHimAlone() {
    follow(1, "a");
    follow(2, "b");
    settled("b", 0, 1);
    settled("a", 1, 5);

    Heard first = heard(1);
    assertThat(first.hasMissed()).isTrue();
    assertThat(first.entries()).isEmpty();
    assertThat(heard(2)).isEqualTo(new Heard(false, List.of(entry(0, in(stream("b"), 0)))));
    settled("a", 5, 6);
    assertThat(heard(1)).isEqualTo(new Heard(false, List.of(entry(5, in(stream("a"), 5)))));
  }

  @Test
  void whatIsTooMuchForAllIsDroppedForWhomItWouldGather() {
    follow(1, "a");
    follow(2, "b");
    settled("a", 0, 3);
    settled("b", 3, 5);

    assertThat(heard(2).hasMissed()).isTrue();
    assertThat(heard(1).entries()).hasSize(3);
    settled("b", 5, 8); // there is room again
    assertThat(heard(2).entries()).hasSize(3);
  }
}
