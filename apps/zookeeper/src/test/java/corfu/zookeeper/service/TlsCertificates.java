package corfu.zookeeper.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.zookeeper.client.ZKClientConfig;

/** A self-signed certificate of localhost, which servers and clients of a test have and trust. */
final class TlsCertificates {

  /** The subject of the certificate, which is the x509 identity of the clients. */
  static final String SUBJECT = "CN=tested";

  private static final String PASSWORD = "secret";
  private static final String STORE_TYPE = "PKCS12";
  private static final String ALIAS = "tested";

  private final Path keys;
  private final Path trusted;

  private TlsCertificates(Path keys, Path trusted) {
    this.keys = keys;
    this.trusted = trusted;
  }

  /** Makes a key with its certificate in a directory. */
  static TlsCertificates in(Path directory)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path keys = directory.resolve("keys.p12");
    makeKey(keys, directory.resolve("keytool"));
    Path trusted = directory.resolve("trusted.p12");
    KeyStore certificates = KeyStore.getInstance(STORE_TYPE);
    certificates.load(null, null);
    certificates.setCertificateEntry(ALIAS, load(keys).getCertificate(ALIAS));
    try (OutputStream out = Files.newOutputStream(trusted)) {
      certificates.store(out, PASSWORD.toCharArray());
    }
    return new TlsCertificates(keys, trusted);
  }

  private static void makeKey(Path store, Path output) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                SUBJECT,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                STORE_TYPE,
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool has failed: " + Files.readString(output));
    }
  }

  private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
    KeyStore loaded = KeyStore.getInstance(STORE_TYPE);
    try (InputStream in = Files.newInputStream(store)) {
      loaded.load(in, PASSWORD.toCharArray());
    }
    return loaded;
  }

  /** Sets the system properties of ZooKeeper's servers. */
  void setServerProperties() {
    for (String[] property : properties()) {
      System.setProperty(property[0], property[1]);
    }
  }

  void clearServerProperties() {
    for (String[] property : properties()) {
      System.clearProperty(property[0]);
    }
  }

  /** Returns the configuration of a client that shows this certificate, and trusts it. */
  ZKClientConfig clientConfig() {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
    for (String[] property : properties()) {
      config.setProperty(property[0], property[1]);
    }
    return config;
  }

  private String[][] properties() {
    String prefix = "zookeeper.ssl.";
    return new String[][] {
      {prefix + "keyStore.location", keys.toString()},
      {prefix + "keyStore.password", PASSWORD},
      {prefix + "keyStore.type", STORE_TYPE},
      {prefix + "trustStore.location", trusted.toString()},
      {prefix + "trustStore.password", PASSWORD},
      {prefix + "trustStore.type", STORE_TYPE},
    };
  }

  /** Returns the configuration of sockets that show this certificate, and trust it. */
  SSLContext context() throws GeneralSecurityException, IOException {
    var ownKeys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    ownKeys.init(load(keys), PASSWORD.toCharArray());
    var others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    others.init(load(trusted));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(ownKeys.getKeyManagers(), others.getTrustManagers(), null);
    return context;
  }
}
