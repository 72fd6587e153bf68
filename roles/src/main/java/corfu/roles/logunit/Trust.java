package corfu.roles.logunit;

import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Progress;
import corfu.world.Disk;
import java.util.Optional;

/**
 * Whether what is on a log unit's disk may be relied on. A disk that was set back to an older image
 * of itself while no process used it looks like one that has never had more: so a unit that starts
 * with what an earlier process has left can be made to serve nobody until others, who were told how
 * far it had come, have vouched for it. One that has less than they remember never serves again in
 * this life of its disk.
 *
 * <p>Belongs to the unit's thread.
 */
public final class Trust {

  private static final String DOUBTED =
      "this log unit has just started, and serves nobody until a majority of the layout servers has"
          + " said that its disk is not an older image of itself; try again";

  private final Disk disk;
  private final boolean isNewborn;
  private boolean doubted;
  private String setBack = "";
  private Incarnation lost = Incarnation.NONE; // whose place it had when it was set back

  /**
   * @param isNewborn whether this life of the disk began with this process
   */
  Trust(Disk disk, boolean isNewborn) {
    this.disk = disk;
    this.isNewborn = isNewborn;
  }

  /**
   * From now on the unit serves nobody until somebody has {@linkplain #vouch vouched} for its disk.
   * No effect where the disk was empty when it was opened. To be called before requests come.
   */
  public void doubt() {
    doubted = !isNewborn;
  }

  /** Whether the unit waits for that. */
  public boolean isDoubted() {
    return doubted;
  }

  /** Nobody remembers that the disk has ever had more. */
  public void vouch() {
    doubted = false;
  }

  /** The same as {@link LogUnit#setBack}, as far as it is not about what is kept. */
  void setBack(Incarnation life, Progress now, Progress before) {
    doubted = false;
    lost = life;
    setBack =
        "the disk of this log unit (%s) was set back, or has lost what it had acknowledged: it has"
                .formatted(disk.description())
            + " %s, and once had %s; the unit leaves, and is filled again from its replicas"
                .formatted(now, before);
  }

  /** Whether that has happened. */
  public boolean isSetBack() {
    return !setBack.isEmpty();
  }

  /** Whether the layout relies on what was lost that way. */
  boolean isMissedBy(Optional<Layout> layout) {
    return isSetBack() && layout.filter(now -> now.reliesOnUnit(lost)).isPresent();
  }

  /** For people; empty if it has not. */
  String whySetBack() {
    return setBack;
  }

  /** The disk is used for another life. */
  void beginAgain() {
    doubted = false;
    setBack = "";
    lost = Incarnation.NONE;
  }

  boolean isWhole() {
    return !doubted && setBack.isEmpty();
  }

  /** Why a request must not be served; empty if it may. */
  Optional<String> objection(LogUnitRequest request) {
    return isWhole() ? Optional.empty() : objectionOfDoubt(request);
  }

  private Optional<String> objectionOfDoubt(LogUnitRequest request) {
    return switch (request) {
      case LogUnitRequest.Install install -> Optional.empty();
      case LogUnitRequest.Reset reset -> Optional.empty();
      case LogUnitRequest.AskUsage ask -> Optional.empty();
      case LogUnitRequest.AskScrub ask -> Optional.empty();
      default -> Optional.of(doubted ? DOUBTED : setBack);
    };
  }
}
