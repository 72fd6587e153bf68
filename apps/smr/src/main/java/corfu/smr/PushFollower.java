package corfu.smr;

import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Passes pushed commands to the inbox of a player. The inbox may drop them, and the player may have
 * read them already. Only the player's thread opens and closes the subscription; the subscription
 * may also end by itself.
 */
final class PushFollower implements Subscriber {

  private final LogStream commands;
  private final PlayerQueue inbox;
  private final Supplier<StreamAddress> next;
  private final Runnable arrived;
  private Optional<Subscription> subscription = Optional.empty();
  private volatile boolean isOpen;

  /**
   * @param next the stream address of the first entry that the player has not applied
   * @param arrived runs when an entry is in the inbox
   */
  PushFollower(
      LogStream commands, PlayerQueue inbox, Supplier<StreamAddress> next, Runnable arrived) {
    this.commands = commands;
    this.inbox = inbox;
    this.next = next;
    this.arrived = arrived;
  }

  /** Subscribes to the entries that the player has not applied, unless it is subscribed. */
  void open() {
    if (!isOpen) {
      isOpen = true;
      inbox.setPushed(true);
      subscription = Optional.of(commands.subscribe(next.get(), this));
    }
  }

  void close() {
    subscription.ifPresent(Subscription::close);
  }

  @Override
  public void onEntry(StreamRead.Entry entry) {
    if (entry.streamAddress().compareTo(next.get()) >= 0) {
      inbox.pushed(entry.streamAddress(), entry.address(), entry.payload());
      arrived.run();
    }
  }

  @Override
  public void onTrimmed(StreamAddress before) {
    inbox.look();
  }

  @Override
  public void onClosed() {
    inbox.setPushed(false);
    isOpen = false; // the player subscribes again after its next look
  }
}
