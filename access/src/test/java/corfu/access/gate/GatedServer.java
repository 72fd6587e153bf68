package corfu.access.gate;

import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCommand;
import corfu.access.PolicyMachine;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditTrail;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Incarnation;
import corfu.protocol.Limits;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.roles.Lease;
import corfu.roles.layout.LayoutServer;
import corfu.roles.layout.LeaseTerms;
import corfu.roles.logunit.LogUnit;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.sequencer.Sequencer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A gate with real roles behind it. All streams and entries of the tests are made here. */
final class GatedServer {

  static final Identity SERVER = new Identity("spiffe://prod/corfu/server-1");
  static final Identity ADMIN = new Identity("spiffe://prod/admin");
  static final Endpoint ADDRESS = new Endpoint("server", 9000);
  static final Epoch EPOCH = new Epoch(1);
  static final long INCARNATION = 77;
  static final String SECRET = "cannot write to /var/lib/corfu";

  final HandWorld world = new HandWorld();
  final LogUnit unit = LogUnit.inMemory(LogUnitOptions.inMemory(64 << 20), world, Lease.always());
  final Sequencer sequencer = new Sequencer(Limits.DEFAULT, INCARNATION, Lease.always());
  final LayoutServer layoutServer = LayoutServer.inMemory(LeaseTerms.OFF, world);
  final PolicyMachine machine = new PolicyMachine();
  final List<AuditEvent> events = new ArrayList<>();
  final AuditTrail audit = new AuditTrail(events::add, world::nanoTime);
  final List<Request> settled = new ArrayList<>();
  final List<Epoch> heardOf = new ArrayList<>();

  /** The log's tail, as the server knows it. */
  long tail = 100;

  final HandKeys sequencers = new HandKeys();
  final Surroundings surroundings =
      new Surroundings(
          unit.entries(),
          call -> call.call().get(0) == READ_CALL,
          heardOf::add,
          () -> tail,
          world::nanoTime,
          world.random()::nextLong,
          sequencers);
  final AccessGate gate =
      new AccessGate(
          GateOptions.DEFAULT,
          new TrustedIdentities(
              List.of(Subject.parse("spiffe://prod/corfu*")), List.of(new Subject.Exact(ADMIN))),
          surroundings,
          audit,
          this::behindTheGate);

  static final byte READ_CALL = 0;
  static final byte CHANGE_CALL = 1;

  private long changes;

  /** Starts the roles in epoch 1 and enforces these grants, for example {@code "a read x/*"}. */
  GatedServer(String... grants) {
    Layout layout = layout();
    as(SERVER, new LogUnitRequest.Install(layout));
    as(SERVER, new LayoutRequest.Learn(layout));
    as(SERVER, new SequencerRequest.Start(EPOCH, 0, INCARNATION));
    allow(grants);
  }

  Layout layout() {
    Layout first =
        Layout.initial(
            new ClusterId(new UUID(1, 2)), List.of(ADDRESS), List.of(ADDRESS), List.of(ADDRESS), 1);
    return first.withIncarnations(
        Map.of(ADDRESS, layoutServer.incarnation()), Map.of(ADDRESS, unit.incarnation()));
  }

  /** Adds grants to the policy: identity, permission, and a stream if the permission needs it. */
  void allow(String... grants) {
    for (String grant : grants) {
      change(new PolicyCommand.Give(grant(grant)));
    }
    gate.enforce(machine.policy());
  }

  void revoke(String grant) {
    change(new PolicyCommand.Revoke(grant(grant)));
    gate.enforce(machine.policy());
  }

  /** Sets the quota of an identity. */
  void limit(String name, Quota quota) {
    change(new PolicyCommand.SetQuota(Subject.parse(full(name)), quota));
    gate.enforce(machine.policy());
  }

  private void change(PolicyCommand command) {
    var unused = machine.apply(new PolicyChange(ADMIN, command), changes++);
  }

  static Grant grant(String text) {
    String[] words = text.split(" ", 3);
    Permission permission = Permission.parse(words[1]);
    Subject subject =
        words[0].startsWith("role:") ? Subject.parse(words[0]) : Subject.parse(full(words[0]));
    return new Grant(
        subject, permission, words.length > 2 ? Target.parse(words[2]) : Target.whole(permission));
  }

  private static String full(String name) {
    return name.equals("anonymous") ? name : "spiffe://prod/" + name;
  }

  static Identity identity(String name) {
    return new Identity(full(name));
  }

  /** Sends a request of an identity, which must be answered at once. */
  Reply as(Identity identity, Request request) {
    List<Reply> replies = send(identity, request);
    if (replies.size() != 1) {
      throw new AssertionError(request + " was answered by " + replies);
    }
    return replies.getFirst();
  }

  Reply as(String name, Request request) {
    return as(identity(name), request);
  }

  /** Sends a request. The list receives the reply. */
  List<Reply> send(Identity identity, Request request) {
    List<Reply> replies = new ArrayList<>();
    gate.handle(
        request,
        new RequestOrigin("10.0.0.7", identity),
        reply -> replies.add(FrameCodec.copyOf(reply)));
    unit.turnEnded();
    return replies;
  }

  private void behindTheGate(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    switch (request) {
      case LogUnitRequest forUnit -> unit.handle(forUnit, reply);
      case SequencerRequest forSequencer -> sequencer.handle(forSequencer, reply);
      case LayoutRequest.Report report -> reply.accept(layoutServer.take(report, origin));
      case LayoutRequest forLayout -> layoutServer.handle(forLayout, reply);
      case ViewRequest.Call call ->
          reply.accept(new ViewReply.Answered(ByteBuffer.wrap(new byte[] {0})));
      case NodeRequest.Hello hello ->
          reply.accept(new NodeReply.Welcome(FrameCodec.NEWEST_VERSION, Optional.empty(), "a"));
      case NodeRequest.AskStatus ask ->
          reply.accept(
              new NodeReply.Status(
                  "a",
                  Optional.empty(),
                  EPOCH,
                  List.of("log-unit"),
                  new Health(
                      Health.State.BROKEN,
                      Health.State.SERVING,
                      Health.State.SERVING,
                      Incarnation.NONE,
                      Incarnation.NONE,
                      SECRET),
                  List.of(new NodeReply.Rebuild(0, 100, 50, 6_400, 12))));
      case NodeRequest.AskNames ask -> reply.accept(new NodeReply.Names(List.of()));
      case NodeRequest.Settle settle -> settle(settle, reply);
      case NodeRequest.SettleStreams settle -> settle(settle, reply);
      case NodeRequest.Introduce introduce -> throw new AssertionError("the gate answers it");
      case NodeRequest.AskAccess ask -> throw new AssertionError("the gate answers it");
      case NodeRequest.AskTokenKey ask -> throw new AssertionError("the gate answers it");
      case NodeRequest.AskQuotas ask -> throw new AssertionError("the gate answers it");
    }
  }

  private void settle(Request request, Consumer<Reply> reply) {
    settled.add(request);
    reply.accept(Reply.Done.DONE);
  }

  // ------------------------------------------------------------------------------------ entries

  /** Returns an entry of these streams, each at stream address 0. */
  static Entry entry(long address, String... streams) {
    return entry(address, 30, streams);
  }

  static Entry entry(long address, int bytes, String... streams) {
    List<StreamHeader> headers =
        Stream.of(streams)
            .map(StreamId::named)
            .sorted(Comparator.naturalOrder())
            .map(stream -> new StreamHeader(stream, 0, Backpointers.NONE))
            .toList();
    return Entry.data(address, new AppendId(9, address), headers, ByteBuffer.allocate(bytes));
  }

  static Entry hole(long address) {
    return Entry.hole(address, new AppendId(9, address));
  }

  /** Returns a sealer with the key of this server. */
  TokenSealer sealer() {
    var sealing = (NodeReply.SealingKey) as(SERVER, new NodeRequest.AskTokenKey());
    return new TokenSealer(sealing.key().orElseThrow());
  }

  /** Returns a write of one entry by a client that has got the token of its address. */
  LogUnitRequest.Write sealed(Identity holder, Epoch epoch, Entry entry) {
    return new LogUnitRequest.Write(
        epoch, List.of(entry), List.of(sealer().seal(epoch, entry.address(), 1, holder)));
  }

  /** Writes entries as a server. */
  void write(Entry... entries) {
    as(SERVER, new LogUnitRequest.Write(EPOCH, List.of(entries)));
  }
}
