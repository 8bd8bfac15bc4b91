export const metadata = { title: "A chat that remembers" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body style={{ font: "16px/1.5 system-ui", maxWidth: "40rem", margin: "2rem auto", padding: "0 1rem" }}>{children}</body>
    </html>
  );
}
