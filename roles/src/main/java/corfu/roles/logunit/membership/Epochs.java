package corfu.roles.logunit.membership;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest.Seal;
import java.util.Optional;

/**
 * Which requests are of the unit's time: those of the installed layout's epoch, unless that is
 * sealed; and whether that layout means this unit at all. What is sealed or installed here is not
 * durable yet; {@link Membership} writes it to the {@link EpochFile}.
 */
public final class Epochs {

  private Incarnation incarnation;
  private long firstSegment;
  private Epoch sealed;

  /** No read of an epoch up to this one is answered; after a restart that is all that is sealed. */
  private Epoch closed;

  private Optional<Layout> layout;

  /** The highest sealed epoch that is on the disk. */
  private Epoch keptSealed;

  private long seals;

  Epochs(EpochFile.Content stored) {
    this.incarnation = stored.incarnation();
    this.firstSegment = stored.firstSegment();
    this.sealed = stored.sealed();
    this.closed = stored.sealed();
    this.keptSealed = stored.sealed();
    this.layout = stored.layout();
  }

  public Incarnation incarnation() {
    return incarnation;
  }

  public long firstSegment() {
    return firstSegment;
  }

  public Optional<Layout> layout() {
    return layout;
  }

  public Epoch installed() {
    return layout.map(Layout::epoch).orElse(Epoch.NONE);
  }

  /** This is on the disk now; what was written before it was there before. */
  void isKept(EpochFile.Content content) {
    keptSealed = content.sealed();
  }

  /** The highest sealed epoch. */
  Epoch sealed() {
    return sealed;
  }

  /** How many seals have been taken since the start. */
  long seals() {
    return seals;
  }

  /** No later epoch than this one had been decided when the last seal was taken. */
  void unsealBeyond(Epoch decided) {
    sealed = earlier(sealed, decided);
    closed = earlier(closed, decided);
  }

  public Epoch keptSealed() {
    return keptSealed;
  }

  /** What the unit calls its epoch in refusals. */
  public Epoch current() {
    return isSealed() ? sealed : installed();
  }

  /** Whether the installed layout's epoch is over. */
  public boolean isSealed() {
    return installed().compareTo(sealed) <= 0;
  }

  /** Whether the installed layout relies on what this unit holds. */
  public boolean isReliedOn() {
    return layout.isPresent() && layout.get().reliesOnUnit(incarnation);
  }

  /** Why a request of this epoch is not of the unit's time, if it is not. */
  public Optional<Failure> objection(Epoch epoch) {
    if (layout.isEmpty()) {
      return Optional.of(new Failure.NotBootstrapped());
    }
    if (epoch.isBefore(installed()) || epoch.compareTo(sealed) <= 0) {
      return Optional.of(new Failure.Sealed(current()));
    }
    return epoch.equals(installed())
        ? Optional.empty()
        : Optional.of(new Failure.Behind(current()));
  }

  /** The same for a request about entries, which is for units that the layout relies on. */
  public Optional<Failure> objectionToData(Epoch epoch) {
    Optional<Failure> objection = objection(epoch);
    return objection.isPresent() || isReliedOn()
        ? objection
        : Optional.of(new Failure.NotServing(whyNotReliedOn()));
  }

  /** The same for a read, which may be answered in an epoch that is sealed for all but reads. */
  public Optional<Failure> objectionToReading(Epoch epoch) {
    return isOpenForReads() && epoch.equals(installed()) && isReliedOn()
        ? Optional.empty()
        : objectionToData(epoch);
  }

  /** Sealed, but not for reads. */
  public boolean isOpenForReads() {
    return sealed.equals(installed()) && closed.isBefore(installed());
  }

  public String whyNotReliedOn() {
    return layout.isEmpty()
        ? "this log unit (incarnation " + incarnation + ") belongs to no cluster yet"
        : "this log unit (incarnation %s) is not one that epoch %s relies on: it is blank, was"
                .formatted(incarnation, installed())
            + " reset, or is a spare; fetch the newest layout, and ask the units that it names";
  }

  /** One whose epoch has been sealed already is worth knowing: it names who decides the next. */
  boolean isNewer(Layout other) {
    return installed().isBefore(other.epoch());
  }

  void seal(Epoch epoch, Seal.Extent extent) {
    seals++;
    sealed = later(sealed, epoch);
    closed =
        switch (extent) {
          case EVERYTHING -> later(closed, epoch);
          case ALL_BUT_READS -> closed;
        };
  }

  private static Epoch earlier(Epoch one, Epoch other) {
    return one.isBefore(other) ? one : other;
  }

  private static Epoch later(Epoch one, Epoch other) {
    return one.isBefore(other) ? other : one;
  }

  void install(Layout newer) {
    layout = Optional.of(newer);
  }

  void become(Incarnation next, long nextFirstSegment) {
    incarnation = next;
    firstSegment = nextFirstSegment;
  }

  EpochFile.Content content() {
    return new EpochFile.Content(incarnation, firstSegment, sealed, layout);
  }
}
