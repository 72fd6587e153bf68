package corfu.node.access;

import static corfu.node.access.SecureCluster.texts;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.TokenWish;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers with TLS and permissions get garbage: at their ports, during the handshake, and from a
 * tenant behind it. Other clients notice nothing, and the tenant learns nothing.
 */
@Timeout(180)
class HostileSecureServerTest {

  private static final String SECRET = "billing-secret";
  private static final StreamId THEIRS = StreamId.named("billing/may");
  private static final int ROUNDS = 60;
  private static final int PATIENCE_MILLIS = 100;

  @TempDir private Path directory;
  private final Random random = new Random(20);
  private SecureCluster cluster;
  private TlsOptions shop;
  private Corfu wellBehaved;
  private LogStream orders;
  private int appended;

  @BeforeEach
  void start() {
    cluster = new SecureCluster(directory, TlsMode.REQUIRED, ClientCertificates.REQUIRED);
    shop = cluster.issue("shop");
    cluster.grant(
        "spiffe://local/client/shop append orders/*", "spiffe://local/client/shop read orders/*");
    Streams.over(cluster.administrator).open(THEIRS).append(SECRET.getBytes(UTF_8));
    wellBehaved = cluster.connect(shop);
    orders = Streams.over(wellBehaved).open("orders/books");
  }

  @AfterEach
  void othersNoticedNothing() {
    useTheLog();
    assertThat(texts(orders)).hasSize(appended);
    assertThat(texts(Streams.over(cluster.administrator).open(THEIRS))).containsExactly(SECRET);
    wellBehaved.close();
    cluster.close();
  }

  private void useTheLog() {
    orders.append("a book".getBytes(UTF_8));
    appended++;
  }

  private Endpoint server(int number) {
    return cluster.config.endpoints().get(number % cluster.config.endpoints().size());
  }

  @Test
  void garbageInsteadOfAHandshakeEndsItsConnectionOnly() throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] garbage = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(garbage);
      if (i % 2 == 0) {
        garbage[0] = 0x16; // like a record of TLS
      }
      try (Socket socket = new Socket(server(i).host(), server(i).port())) {
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.getOutputStream().write(garbage);
        socket.shutdownOutput();
        assertThat(new String(answerOf(socket), ISO_8859_1)).doesNotContain(SECRET);
      }
      if (i % 20 == 0) {
        useTheLog();
      }
    }
  }

  @Test
  void alteredRequestsOfATenantShowNothingOfOthers() throws Exception {
    SSLContext context = context();
    List<byte[]> requests = requests();
    for (int i = 0; i < ROUNDS; i++) {
      try (SSLSocket socket = connect(context, server(i))) {
        // frames of version 1 have no checksums, so that altered ones reach the decoders
        socket.getOutputStream().write(bytes(new NodeRequest.Hello(1, 1, Optional.empty()), 1));
        for (int k = 0; k < 8; k++) {
          byte[] request = requests.get(random.nextInt(requests.size())).clone();
          for (int flips = random.nextInt(4); flips > 0; flips--) {
            request[4 + random.nextInt(request.length - 4)] ^= (byte) (1 << random.nextInt(8));
          }
          write(socket, request);
        }
        assertThat(new String(answerOf(socket), ISO_8859_1)).doesNotContain(SECRET);
      }
      if (i % 20 == 0) {
        useTheLog();
      }
    }
  }

  /** The server may have ended the connection already. */
  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException ended) {
      // the answers so far count
    }
  }

  /** Reads until the server closes, or is silent for a while. */
  private static byte[] answerOf(Socket socket) {
    var all = new ByteArrayOutputStream();
    try {
      byte[] some = new byte[1 << 14];
      for (int count = socket.getInputStream().read(some);
          count >= 0;
          count = socket.getInputStream().read(some)) {
        all.write(some, 0, count);
      }
    } catch (SocketTimeoutException silent) {
      // it answers no more
    } catch (IOException ended) {
      // it refused
    }
    return all.toByteArray();
  }

  private List<byte[]> requests() {
    Epoch epoch = cluster.administrator.layout().epoch();
    StreamId ours = StreamId.named("orders/books");
    List<Request> all =
        List.of(
            new LogUnitRequest.Read(epoch, new AddressSet.Strided(0, 1, 50), 1 << 16),
            new LogUnitRequest.ReadBlocks(epoch, List.of(new PayloadRange(4, 0, 10)), 1 << 16),
            new LogUnitRequest.CopyRange(epoch, 0, 50, 1, 1 << 16),
            new LogUnitRequest.ReadStream(epoch, THEIRS, 0, 0, 50, 1 << 16),
            new LogUnitRequest.ReadStream(epoch, ours, 0, 0, 50, 1 << 16),
            new LogUnitRequest.FindInStreams(epoch, List.of(StreamQuery.below(THEIRS, 50)), 9),
            new LogUnitRequest.ListStreams(epoch, THEIRS.part(), StreamId.NONE),
            new LogUnitRequest.Follow(epoch, 7, List.of(ours), List.of()),
            new LogUnitRequest.Trim(epoch, new AddressSet.Strided(0, 1, 50)),
            new LogUnitRequest.TrimStream(epoch, THEIRS, 9),
            new LogUnitRequest.PrefixTrim(epoch, 50),
            new LogUnitRequest.Install(cluster.administrator.layout()),
            new SequencerRequest.AskStreams(epoch, List.of(THEIRS), List.of()),
            new SequencerRequest.NextInStreams(
                epoch, List.of(TokenWish.in(List.of(ours))), List.of()),
            new LayoutRequest.Fetch(),
            new NodeRequest.AskStatus());
    List<byte[]> encoded = new ArrayList<>();
    all.stream()
        .filter(request -> !(request instanceof LogUnitRequest.ReadBlocks)) // of version 2
        .forEach(request -> encoded.add(bytes(request, 2)));
    return encoded;
  }

  private static byte[] bytes(Request request, long id) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(request, id, 1, out);
    ByteBuffer frame = out.finish();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  // -------------------------------------------------------------------------- a client of the JDK

  private static SSLSocket connect(SSLContext context, Endpoint server) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(server.host(), server.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"corfu"});
    parameters.setProtocols(new String[] {"TLSv1.3"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(10_000);
    socket.startHandshake();
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private SSLContext context() throws Exception {
    Path file = shop.certificate().orElseThrow();
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    var key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(section(file, "PRIVATE KEY")));
    own.setKeyEntry("own", key, new char[0], new Certificate[] {certificate(file)});
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, new char[0]);
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("ca", certificate(cluster.authorities()));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static Certificate certificate(Path file) throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(section(file, "CERTIFICATE")));
  }

  private static byte[] section(Path file, String name) throws IOException {
    Matcher found =
        Pattern.compile("-----BEGIN " + name + "-----([^-]+)-----END")
            .matcher(Files.readString(file));
    assertThat(found.find()).as("%s in %s", name, file).isTrue();
    return Base64.getMimeDecoder().decode(found.group(1));
  }
}
